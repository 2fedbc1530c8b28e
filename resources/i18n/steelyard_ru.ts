<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="ru" sourcelanguage="en">
<context>
    <name>AddressCard</name>
    <message>
        <source>Get a model</source>
        <translation>Добавить модель</translation>
    </message>
    <message>
        <source>Address of a model</source>
        <translation>Адрес модели</translation>
    </message>
    <message>
        <source>https://…/model.gguf or owner/name/file.gguf</source>
        <translation>https://…/model.gguf или владелец/имя/файл.gguf</translation>
    </message>
    <message>
        <source>Download</source>
        <translation>Скачать</translation>
    </message>
    <message>
        <source>On huggingface.co, open a file that ends in .gguf and copy its address. Q4_K_M is a good first choice.</source>
        <translation>На huggingface.co откройте файл с окончанием .gguf и скопируйте его адрес. Для начала хорошо подходит Q4_K_M.</translation>
    </message>
</context>
<context>
    <name>Amounts</name>
    <message>
        <source>%1 ms</source>
        <translation>%1 мс</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 с</translation>
    </message>
    <message>
        <source>%1 min %2 s</source>
        <translation>%1 мин %2 с</translation>
    </message>
</context>
<context>
    <name>AnswerCard</name>
    <message>
        <source>Answer of %1</source>
        <translation>Ответ: %1</translation>
    </message>
    <message>
        <source>Copy the answer of %1</source>
        <translation>Скопировать ответ: %1</translation>
    </message>
    <message>
        <source>Loading</source>
        <translation>Загрузка</translation>
    </message>
</context>
<context>
    <name>AnswersView</name>
    <message>
        <source>Answers</source>
        <translation>Ответы</translation>
    </message>
    <message>
        <source>Ask all of them</source>
        <translation>Спросите всех сразу</translation>
    </message>
    <message>
        <source>One prompt below goes to every column, with the same seed. Where their answers part is marked. Open the report to measure them on a text.</source>
        <translation>Запрос внизу уходит во все колонки с одним и тем же зерном. Места, где ответы расходятся, отмечены. В отчёте колонки измеряются на тексте.</translation>
    </message>
</context>
<context>
    <name>Banner</name>
    <message>
        <source>Dismiss</source>
        <translation>Скрыть</translation>
    </message>
</context>
<context>
    <name>ChatBanners</name>
    <message>
        <source>Try again</source>
        <translation>Повторить</translation>
    </message>
    <message>
        <source>%1 is a base model: it continues your text instead of answering.</source>
        <translation>%1 — базовая модель: она продолжает ваш текст, а не отвечает.</translation>
    </message>
</context>
<context>
    <name>ChatHeader</name>
    <message>
        <source>Hide the chats</source>
        <translation>Скрыть список чатов</translation>
    </message>
    <message>
        <source>Show the chats</source>
        <translation>Показать список чатов</translation>
    </message>
    <message>
        <source>Choose a model</source>
        <translation>Выбрать модель</translation>
    </message>
    <message>
        <source>Choose the model (Ctrl+L)</source>
        <translation>Выбрать модель (Ctrl+L)</translation>
    </message>
    <message>
        <source>Show replies formatted (Ctrl+Shift+M)</source>
        <translation>Показывать ответы с оформлением (Ctrl+Shift+M)</translation>
    </message>
    <message>
        <source>Show replies as written (Ctrl+Shift+M)</source>
        <translation>Показывать ответы как есть (Ctrl+Shift+M)</translation>
    </message>
    <message>
        <source>Hide the inspector</source>
        <translation>Скрыть параметры чата</translation>
    </message>
    <message>
        <source>Show the inspector</source>
        <translation>Показать параметры чата</translation>
    </message>
</context>
<context>
    <name>ChatListRow</name>
    <message>
        <source>replying</source>
        <translation>отвечает</translation>
    </message>
    <message>
        <source>draft</source>
        <translation>черновик</translation>
    </message>
    <message>
        <source>pinned</source>
        <translation>закреплён</translation>
    </message>
    <message>
        <source>More for %1</source>
        <translation>Действия: %1</translation>
    </message>
</context>
<context>
    <name>ChatListView</name>
    <message>
        <source>Chats</source>
        <translation>Чаты</translation>
    </message>
    <message>
        <source>Nothing found</source>
        <translation>Ничего не найдено</translation>
    </message>
    <message>
        <source>Your chats will stand here.</source>
        <translation>Здесь появятся ваши чаты.</translation>
    </message>
</context>
<context>
    <name>ChatPage</name>
    <message>
        <source>“%1” was deleted.</source>
        <translation>Чат «%1» удалён.</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Вернуть</translation>
    </message>
    <message>
        <source>Width of the list of chats</source>
        <translation>Ширина списка чатов</translation>
    </message>
    <message>
        <source>Width of the inspector</source>
        <translation>Ширина панели настроек чата</translation>
    </message>
    <message>
        <source>Rename the chat</source>
        <translation>Переименовать чат</translation>
    </message>
</context>
<context>
    <name>ChatRepository</name>
    <message>
        <source>This chat no longer exists.</source>
        <translation>Этого чата больше нет.</translation>
    </message>
</context>
<context>
    <name>ChatSidebar</name>
    <message>
        <source>Search chats</source>
        <translation>Поиск по чатам</translation>
    </message>
    <message>
        <source>New chat (Ctrl+N)</source>
        <translation>Новый чат (Ctrl+N)</translation>
    </message>
    <message>
        <source>Rename (F2)</source>
        <translation>Переименовать (F2)</translation>
    </message>
    <message>
        <source>Unpin</source>
        <translation>Открепить</translation>
    </message>
    <message>
        <source>Pin</source>
        <translation>Закрепить</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Удалить</translation>
    </message>
    <message>
        <source>Replies: %1</source>
        <translation>Ответы: %1</translation>
    </message>
</context>
<context>
    <name>CodeRow</name>
    <message>
        <source>code</source>
        <translation>код</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>Скопировано</translation>
    </message>
    <message>
        <source>Copy the code</source>
        <translation>Скопировать код</translation>
    </message>
    <message>
        <source>Code: %1</source>
        <translation>Код: %1</translation>
    </message>
</context>
<context>
    <name>ColumnBar</name>
    <message>
        <source>Add or remove columns</source>
        <translation>Добавить или убрать колонки</translation>
    </message>
    <message>
        <source>Add a second column to compare.</source>
        <translation>Чтобы сравнивать, добавьте вторую колонку.</translation>
    </message>
    <message>
        <source>What the columns take is being worked out.</source>
        <translation>Подсчитывается, сколько займут колонки.</translation>
    </message>
    <message>
        <source>Unload</source>
        <translation>Выгрузить</translation>
    </message>
    <message>
        <source>Takes the columns&apos; models out of memory; the answers stay</source>
        <translation>Убирает модели колонок из памяти; ответы остаются</translation>
    </message>
</context>
<context>
    <name>ColumnHead</name>
    <message>
        <source>Column %1, its name is hidden</source>
        <translation>Колонка %1, название скрыто</translation>
    </message>
    <message>
        <source>Answer %1</source>
        <translation>Ответ %1</translation>
    </message>
    <message>
        <source>More for %1</source>
        <translation>Ещё для «%1»</translation>
    </message>
    <message>
        <source>Change…</source>
        <translation>Изменить…</translation>
    </message>
    <message>
        <source>Same model again</source>
        <translation>Та же модель ещё раз</translation>
    </message>
    <message>
        <source>To compare another cache, context or guessing ahead</source>
        <translation>Чтобы сравнить другой кэш, контекст или угадывание</translation>
    </message>
    <message>
        <source>Make another level…</source>
        <translation>Сделать другой уровень…</translation>
    </message>
    <message>
        <source>Quantizes this model</source>
        <translation>Квантует эту модель</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Убрать</translation>
    </message>
    <message>
        <source>Hidden until you vote</source>
        <translation>Скрыто, пока вы не проголосуете</translation>
    </message>
    <message>
        <source>This file is not in the library.</source>
        <translation>Этого файла нет в библиотеке.</translation>
    </message>
</context>
<context>
    <name>ColumnSheet</name>
    <message>
        <source>Column</source>
        <translation>Колонка</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Модель</translation>
    </message>
    <message>
        <source>KV cache</source>
        <translation>Кэш KV</translation>
    </message>
    <message>
        <source>as in the settings</source>
        <translation>как в настройках</translation>
    </message>
    <message>
        <source>Context, tokens</source>
        <translation>Контекст, токенов</translation>
    </message>
    <message>
        <source>History before the prompt, tokens</source>
        <translation>История перед запросом, токенов</translation>
    </message>
    <message>
        <source>none</source>
        <translation>нет</translation>
    </message>
    <message>
        <source>A history of neutral text shows whether the answer survives far into the context.</source>
        <translation>История из нейтрального текста показывает, выдержит ли ответ глубокий контекст.</translation>
    </message>
    <message>
        <source>Guess ahead from words that stood there before</source>
        <translation>Угадывать вперёд по словам, что уже встречались</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Отмена</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>Применить</translation>
    </message>
</context>
<context>
    <name>ColumnWords</name>
    <message>
        <source>KV %1</source>
        <translation>KV %1</translation>
    </message>
    <message>
        <source>context %1</source>
        <translation>контекст %1</translation>
    </message>
    <message>
        <source>history %1</source>
        <translation>история %1</translation>
    </message>
    <message>
        <source>guesses ahead</source>
        <translation>угадывает вперёд</translation>
    </message>
</context>
<context>
    <name>CompareComposer</name>
    <message>
        <source>Prompt for all columns</source>
        <translation>Запрос для всех колонок</translation>
    </message>
    <message>
        <source>Ask all of them further</source>
        <translation>Спросите всех дальше</translation>
    </message>
    <message>
        <source>Ask all columns</source>
        <translation>Спросить все колонки</translation>
    </message>
    <message>
        <source>Stop (Esc)</source>
        <translation>Остановить (Esc)</translation>
    </message>
</context>
<context>
    <name>CompareHeader</name>
    <message>
        <source>New comparison</source>
        <translation>Новое сравнение</translation>
    </message>
    <message>
        <source>Rename the comparison</source>
        <translation>Переименовать сравнение</translation>
    </message>
    <message>
        <source>Views of the comparison</source>
        <translation>Виды сравнения</translation>
    </message>
    <message>
        <source>Answers</source>
        <translation>Ответы</translation>
    </message>
    <message>
        <source>Same text</source>
        <translation>Один текст</translation>
    </message>
    <message>
        <source>Report</source>
        <translation>Отчёт</translation>
    </message>
    <message>
        <source>Blind</source>
        <translation>Вслепую</translation>
    </message>
    <message>
        <source>Names are hidden and columns shuffled until you have voted</source>
        <translation>Названия скрыты, а колонки перемешаны, пока вы не проголосуете</translation>
    </message>
    <message>
        <source>Votes</source>
        <translation>Голоса</translation>
    </message>
    <message>
        <source>Earlier comparisons</source>
        <translation>Прежние сравнения</translation>
    </message>
    <message>
        <source>New comparison with the same columns</source>
        <translation>Новое сравнение с теми же колонками</translation>
    </message>
</context>
<context>
    <name>ComparePage</name>
    <message>
        <source>Votes</source>
        <translation>Голоса</translation>
    </message>
    <message>
        <source>%1 is deleted.</source>
        <translation>Удалено: %1.</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Вернуть</translation>
    </message>
    <message>
        <source>%1 is made.</source>
        <translation>Готово: %1.</translation>
    </message>
    <message>
        <source>Written to %1.</source>
        <translation>Записано в %1.</translation>
    </message>
    <message>
        <source>The chat&apos;s model %1 takes room that the columns could use.</source>
        <translation>Модель чата %1 занимает место, которое нужно колонкам.</translation>
    </message>
    <message>
        <source>Unload it</source>
        <translation>Выгрузить её</translation>
    </message>
    <message>
        <source>Which quantization is good enough?</source>
        <translation>Какое квантование достаточно хорошо?</translation>
    </message>
    <message>
        <source>Choose two to four models or quantizations of one model. They get the same prompt, side by side, and a report says what each level costs and what it saves.</source>
        <translation>Выберите от двух до четырёх моделей или квантований одной модели. Они отвечают рядом на один запрос, а отчёт говорит, чего стоит каждый уровень и что он экономит.</translation>
    </message>
    <message>
        <source>Choose columns</source>
        <translation>Выбрать колонки</translation>
    </message>
    <message>
        <source>Open an earlier one</source>
        <translation>Открыть прежнее</translation>
    </message>
    <message>
        <source>Rename the comparison</source>
        <translation>Переименовать сравнение</translation>
    </message>
</context>
<context>
    <name>ComparisonRepository</name>
    <message>
        <source>This comparison no longer exists.</source>
        <translation>Этого сравнения больше нет.</translation>
    </message>
</context>
<context>
    <name>Composer</name>
    <message>
        <source>Editing your message. Sending it makes a new branch.</source>
        <translation>Вы правите своё сообщение. После отправки появится новая ветка.</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Отмена</translation>
    </message>
    <message>
        <source>Message</source>
        <translation>Сообщение</translation>
    </message>
    <message>
        <source>Text to continue</source>
        <translation>Текст для продолжения</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>Отправить</translation>
    </message>
    <message>
        <source>Stop (Esc)</source>
        <translation>Остановить (Esc)</translation>
    </message>
    <message>
        <source>Drop to add the text of the file</source>
        <translation>Отпустите, чтобы вставить текст файла</translation>
    </message>
    <message>
        <source>Loading %1: %2 %</source>
        <translation>Загрузка %1: %2 %</translation>
    </message>
    <message>
        <source>No model is chosen</source>
        <translation>Модель не выбрана</translation>
    </message>
    <message>
        <source>Enter sends, Shift+Enter breaks the line</source>
        <translation>Enter — отправить, Shift+Enter — новая строка</translation>
    </message>
</context>
<context>
    <name>ConfirmSheet</name>
    <message>
        <source>Keep</source>
        <translation>Оставить</translation>
    </message>
</context>
<context>
    <name>ContextFullSection</name>
    <message>
        <source>Stop and ask</source>
        <translation>Остановиться и спросить</translation>
    </message>
    <message>
        <source>Drop the oldest turns</source>
        <translation>Отбрасывать старые реплики</translation>
    </message>
    <message>
        <source>When the context is full</source>
        <translation>Когда контекст заполнен</translation>
    </message>
    <message>
        <source>The model no longer sees the oldest turns; they stay in the chat, and each reply says how many were left out.</source>
        <translation>Модель больше не видит самые старые реплики; в чате они остаются, и каждый ответ говорит, сколько пропущено.</translation>
    </message>
    <message>
        <source>Nothing is left out before you have seen what would go.</source>
        <translation>Ничего не отбрасывается, пока вы не увидите, что именно.</translation>
    </message>
    <message>
        <source>Move the rest up (approximate)</source>
        <translation>Сдвигать остальное (приблизительно)</translation>
    </message>
    <message>
        <source>The oldest part leaves the cache and the rest moves up without being read again. That is quicker, but what was left out still shows through, so the reply may differ from an exact one. Where a model cannot do it, the oldest turns are dropped.</source>
        <translation>Самая старая часть уходит из кэша, остальное сдвигается без повторного чтения. Так быстрее, но пропущенное всё ещё влияет на текст, и ответ может отличаться от точного. Если модель этого не умеет, отбрасываются старые реплики.</translation>
    </message>
</context>
<context>
    <name>ContextFullSheet</name>
    <message>
        <source>The context is full</source>
        <translation>Контекст заполнен</translation>
    </message>
    <message>
        <source>Messages that would be left out</source>
        <translation>Сообщения, которые будут пропущены</translation>
    </message>
    <message>
        <source>Drop them and continue</source>
        <translation>Отбросить и продолжить</translation>
    </message>
    <message>
        <source>Longer context: %1 tokens</source>
        <translation>Увеличить контекст: %1 токенов</translation>
    </message>
    <message>
        <source>Loads the model again with room for more; the reply goes on where it stopped.</source>
        <translation>Модель загрузится заново с большим запасом, и ответ продолжится с того места, где остановился.</translation>
    </message>
    <message>
        <source>New chat from here</source>
        <translation>Новый чат отсюда</translation>
    </message>
    <message>
        <source>Takes the last question and the settings into a new chat.</source>
        <translation>Последний вопрос и параметры перейдут в новый чат.</translation>
    </message>
    <message numerus="yes">
        <source>%Ln token(s)</source>
        <translation>
            <numerusform>%Ln токен</numerusform>
            <numerusform>%Ln токена</numerusform>
            <numerusform>%Ln токенов</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>To make room, the %Ln oldest message(s) (%1) would be left out.</source>
        <translation>
            <numerusform>Чтобы освободить место, будет пропущено %Ln самое старое сообщение (%1).</numerusform>
            <numerusform>Чтобы освободить место, будут пропущены %Ln самых старых сообщения (%1).</numerusform>
            <numerusform>Чтобы освободить место, будут пропущены %Ln самых старых сообщений (%1).</numerusform>
        </translation>
    </message>
    <message>
        <source>The system prompt and your last question stay. The messages stay in the chat; only the model no longer sees them. From now on this chat does so whenever it is full.</source>
        <translation>Системная подсказка и последний вопрос останутся. Сообщения не исчезнут из чата, их лишь не увидит модель. Впредь этот чат будет поступать так каждый раз, когда заполнит контекст.</translation>
    </message>
</context>
<context>
    <name>ContextMeter</name>
    <message>
        <source>context %1 %</source>
        <translation>контекст %1 %</translation>
    </message>
    <message>
        <source>%1 of %2 tokens, and about %3 in the draft</source>
        <translation>%1 из %2 токенов и около %3 в черновике</translation>
    </message>
    <message>
        <source>%1 of %2 tokens</source>
        <translation>%1 из %2 токенов</translation>
    </message>
    <message>
        <source>%1, nearly full</source>
        <translation>%1, почти заполнен</translation>
    </message>
</context>
<context>
    <name>Database</name>
    <message>
        <source>The disk is full, so this could not be saved. Free some space; saving goes on by itself.</source>
        <translation>На диске нет места, сохранить не удалось. Освободите место, и сохранение продолжится само.</translation>
    </message>
    <message>
        <source>The folder of the chats cannot be written. Check its permissions.</source>
        <translation>В папку с чатами нельзя писать. Проверьте права доступа.</translation>
    </message>
    <message>
        <source>The file of the chats is damaged.</source>
        <translation>Файл с чатами повреждён.</translation>
    </message>
    <message>
        <source>Another program is using the file of the chats.</source>
        <translation>Файл с чатами занят другой программой.</translation>
    </message>
    <message>
        <source>The disk reported an error, so this could not be saved. Check the disk.</source>
        <translation>Диск сообщил об ошибке, сохранить не удалось. Проверьте диск.</translation>
    </message>
    <message>
        <source>The file of the chats could not be used: %1</source>
        <translation>Файл с чатами не открылся: %1</translation>
    </message>
    <message>
        <source>Qt&apos;s SQLite driver is missing. Install it to keep chats (Debian: libqt6sql6-sqlite).</source>
        <translation>Не хватает драйвера SQLite для Qt. Установите его, чтобы чаты сохранялись (в Debian: libqt6sql6-sqlite).</translation>
    </message>
</context>
<context>
    <name>DeviceBar</name>
    <message>
        <source>Memory of %1: %2 taken by this program, %3 by others, %4 free</source>
        <translation>Память, %1: эта программа занимает %2, другие %3, свободно %4</translation>
    </message>
    <message>
        <source>weights %1</source>
        <translation>веса %1</translation>
    </message>
    <message>
        <source>Weights of the model: %1, of which %2 are in memory now; the rest is read from the file when needed.</source>
        <translation>Веса модели: %1. Сейчас в памяти %2, остальное читается из файла по мере надобности.</translation>
    </message>
    <message>
        <source>Weights of the model: %1.</source>
        <translation>Веса модели: %1.</translation>
    </message>
    <message>
        <source>KV used %1</source>
        <translation>KV занято %1</translation>
    </message>
    <message>
        <source>KV cache that open chats use: %1; what they share counts once.</source>
        <translation>KV-кэш открытых чатов: %1. Общая часть считается один раз.</translation>
    </message>
    <message>
        <source>KV cached %1</source>
        <translation>KV про запас %1</translation>
    </message>
    <message>
        <source>KV cache kept only so that a chat starts sooner: %1; it is freed on demand.</source>
        <translation>KV-кэш, который хранится лишь для быстрого продолжения: %1. Освобождается по первому требованию.</translation>
    </message>
    <message>
        <source>KV reserved %1</source>
        <translation>KV в резерве %1</translation>
    </message>
    <message>
        <source>Set aside for the KV cache and still empty: %1.</source>
        <translation>Отведено под KV-кэш и пока пусто: %1.</translation>
    </message>
    <message>
        <source>compute %1</source>
        <translation>вычисления %1</translation>
    </message>
    <message>
        <source>Buffers for the computation itself: %1.</source>
        <translation>Буферы самих вычислений: %1.</translation>
    </message>
    <message>
        <source>other programs %1</source>
        <translation>другие программы %1</translation>
    </message>
    <message>
        <source>What other programs and the system take: %1.</source>
        <translation>Занято другими программами и системой: %1.</translation>
    </message>
    <message>
        <source>Predicted: the weights would take %1.</source>
        <translation>Прогноз: веса займут %1.</translation>
    </message>
    <message>
        <source>KV cache %1</source>
        <translation>KV-кэш %1</translation>
    </message>
    <message>
        <source>Predicted: the KV cache would take %1 at the full context.</source>
        <translation>Прогноз: при полном контексте KV-кэш займёт %1.</translation>
    </message>
    <message>
        <source>Predicted: the computation would take %1.</source>
        <translation>Прогноз: вычисления займут %1.</translation>
    </message>
    <message>
        <source>Predicted: the model that guesses ahead would take %1.</source>
        <translation>Прогноз: модель, которая угадывает наперёд, займёт %1.</translation>
    </message>
    <message>
        <source>free %1</source>
        <translation>свободно %1</translation>
    </message>
    <message>
        <source>Free: %1 of %2.</source>
        <translation>Свободно: %1 из %2.</translation>
    </message>
    <message>
        <source>draft model %1</source>
        <translation>черновая модель %1</translation>
    </message>
    <message>
        <source>The smaller model that guesses ahead, with its cache: %1.</source>
        <translation>Меньшая модель для предугадывания вместе с её кэшем: %1.</translation>
    </message>
</context>
<context>
    <name>DeviceLedger</name>
    <message>
        <source>Weights</source>
        <translation>Веса</translation>
    </message>
    <message>
        <source>%1 of it in memory</source>
        <translation>из них в памяти %1</translation>
    </message>
    <message>
        <source>KV used</source>
        <translation>KV занято</translation>
    </message>
    <message>
        <source>KV cached</source>
        <translation>KV про запас</translation>
    </message>
    <message>
        <source>KV reserved</source>
        <translation>KV в резерве</translation>
    </message>
    <message>
        <source>%1 in the pool</source>
        <translation>всего отведено %1</translation>
    </message>
    <message>
        <source>Compute</source>
        <translation>Вычисления</translation>
    </message>
    <message>
        <source>Other programs</source>
        <translation>Другие программы</translation>
    </message>
    <message>
        <source>Free</source>
        <translation>Свободно</translation>
    </message>
    <message>
        <source>of %1</source>
        <translation>из %1</translation>
    </message>
    <message>
        <source>Draft model</source>
        <translation>Черновая модель</translation>
    </message>
</context>
<context>
    <name>DownloadRow</name>
    <message>
        <source>Chat</source>
        <translation>Чат</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Повторить</translation>
    </message>
    <message>
        <source>Pause %1</source>
        <translation>Приостановить: %1</translation>
    </message>
    <message>
        <source>Continue %1</source>
        <translation>Продолжить: %1</translation>
    </message>
    <message>
        <source>Take %1 off this list</source>
        <translation>Убрать из списка: %1</translation>
    </message>
    <message>
        <source>Cancel %1 and delete what is there</source>
        <translation>Отменить и удалить скачанное: %1</translation>
    </message>
    <message>
        <source>%1 % done</source>
        <translation>готово %1 %</translation>
    </message>
</context>
<context>
    <name>DroppedText</name>
    <message>
        <source>%1 cannot be read.</source>
        <translation>Файл %1 не читается.</translation>
    </message>
    <message>
        <source>%1 is too long for a question: %2, at most %3 are taken.</source>
        <translation>Файл %1 слишком велик для вопроса: %2, принимается не больше %3.</translation>
    </message>
    <message>
        <source>%1 is not a file of text.</source>
        <translation>%1 — не текстовый файл.</translation>
    </message>
</context>
<context>
    <name>EmptyChat</name>
    <message>
        <source>What is on your mind?</source>
        <translation>О чём поговорим?</translation>
    </message>
    <message>
        <source>No model yet</source>
        <translation>Модели пока нет</translation>
    </message>
    <message>
        <source>A model is a file that this computer can run. The library gets one from the network or from a folder.</source>
        <translation>Модель — это файл, который работает на вашем компьютере. Библиотека скачает его из сети или возьмёт из папки.</translation>
    </message>
    <message>
        <source>%1 is a small test model: mainly English, often wrong. It shows that everything works.</source>
        <translation>%1 — маленькая пробная модель: говорит в основном по-английски и часто ошибается. Она показывает, что всё работает.</translation>
    </message>
    <message>
        <source>%1 answers on this computer. Nothing you write leaves it.</source>
        <translation>%1 отвечает прямо на этом компьютере. Написанное его не покидает.</translation>
    </message>
    <message>
        <source>Get a model</source>
        <translation>Добавить модель</translation>
    </message>
    <message>
        <source>Get a better one</source>
        <translation>Найти получше</translation>
    </message>
</context>
<context>
    <name>EngineWords</name>
    <message>
        <source>The text has only %1 tokens, and a context of %2 needs at least %3. Choose a longer text or a smaller context.</source>
        <translation>В тексте всего %1 токенов, а окно в %2 требует не меньше %3. Выберите текст длиннее или окно меньше.</translation>
    </message>
    <message>
        <source>The comparison was cancelled.</source>
        <translation>Сравнение отменено.</translation>
    </message>
    <message>
        <source>The measurement was cancelled.</source>
        <translation>Измерение отменено.</translation>
    </message>
    <message>
        <source>The reference cannot be used. %1</source>
        <translation>Эталон использовать нельзя. %1</translation>
    </message>
    <message>
        <source>The two models have different vocabularies: the reference reads this text as other tokens. Choose a file of the same model.</source>
        <translation>У моделей разные словари: эталон читает этот текст другими токенами. Выберите файл той же модели.</translation>
    </message>
    <message>
        <source>Windows of %1 tokens are longer than the %2 tokens that the model was trained for. Choose a shorter context.</source>
        <translation>Окна по %1 токенов длиннее тех %2 токенов, на которых училась модель. Выберите окно короче.</translation>
    </message>
    <message>
        <source>The new file needs %1, and the disk has %2 free: %3 short. Make room or choose another folder.</source>
        <translation>Новому файлу нужно %1, а на диске свободно %2: не хватает %3. Освободите место или выберите другую папку.</translation>
    </message>
    <message>
        <source>The model file changed while it was being read; convert it again.</source>
        <translation>Файл модели изменился, пока его читали; преобразуйте его ещё раз.</translation>
    </message>
    <message>
        <source>This is no comparison report.</source>
        <translation>Это не отчёт о сравнении.</translation>
    </message>
    <message>
        <source>The conversion was cancelled, and no file was made.</source>
        <translation>Преобразование отменено, файл не создан.</translation>
    </message>
    <message>
        <source>%1 bytes</source>
        <translation>%1 байт</translation>
    </message>
    <message>
        <source>%1 kB</source>
        <translation>%1 кБ</translation>
    </message>
    <message>
        <source>%1 MB</source>
        <translation>%1 МБ</translation>
    </message>
    <message>
        <source>%1 GB</source>
        <translation>%1 ГБ</translation>
    </message>
    <message>
        <source>%1 MiB</source>
        <translation>%1 МиБ</translation>
    </message>
    <message>
        <source>%1 GiB</source>
        <translation>%1 ГиБ</translation>
    </message>
    <message>
        <source>&quot;%1&quot; cannot be read. %2</source>
        <translation>Файл «%1» не читается. %2</translation>
    </message>
    <message>
        <source>This is an old GGML file from before GGUF; get the model again as a GGUF file.</source>
        <translation>Это старый файл GGML, он был до GGUF. Возьмите эту модель файлом GGUF.</translation>
    </message>
    <message>
        <source>This is a web page, not a model: the download saved a page of the site. Copy the address of the file itself.</source>
        <translation>Это веб-страница, а не модель: вместо файла сохранилась страница сайта. Скопируйте адрес самого файла.</translation>
    </message>
    <message>
        <source>This file begins with GGUF in reverse order: it was written for a big-endian machine or is damaged. Get a little-endian GGUF file.</source>
        <translation>Файл начинается с букв GGUF в обратном порядке: он записан для машины с другим порядком байтов или повреждён. Возьмите обычный файл GGUF.</translation>
    </message>
    <message>
        <source>This is a Git LFS pointer, not the model: the real file has to be downloaded with Git LFS or from the site.</source>
        <translation>Это указатель Git LFS, а не модель: сам файл скачайте с сайта или через Git LFS.</translation>
    </message>
    <message>
        <source>This is a zip archive (perhaps a PyTorch checkpoint), not a GGUF model.</source>
        <translation>Это архив ZIP (возможно, веса PyTorch), а не модель GGUF.</translation>
    </message>
    <message>
        <source>This is a gzip archive, not a GGUF model; unpack it first.</source>
        <translation>Это архив gzip, а не модель GGUF. Сначала распакуйте его.</translation>
    </message>
    <message>
        <source>This is a 7-Zip archive, not a GGUF model; unpack it first.</source>
        <translation>Это архив 7-Zip, а не модель GGUF. Сначала распакуйте его.</translation>
    </message>
    <message>
        <source>This is a PyTorch checkpoint, not a GGUF model.</source>
        <translation>Это веса PyTorch, а не модель GGUF.</translation>
    </message>
    <message>
        <source>This is a PDF document, not a model.</source>
        <translation>Это документ PDF, а не модель.</translation>
    </message>
    <message>
        <source>This is a SafeTensors file, not a GGUF model; get the model&apos;s GGUF version.</source>
        <translation>Это файл SafeTensors, а не модель GGUF. Возьмите эту модель в формате GGUF.</translation>
    </message>
    <message>
        <source>This is a JSON text (perhaps an error message of the site), not a model: it begins with &quot;%1&quot;.</source>
        <translation>Это текст JSON (возможно, сообщение сайта об ошибке), а не модель. Он начинается так: «%1».</translation>
    </message>
    <message>
        <source>This is not a GGUF file: it has only %1 bytes, fewer than a GGUF head.</source>
        <translation>Это не файл GGUF: в нём всего %1 байт, меньше, чем в заголовке GGUF.</translation>
    </message>
    <message>
        <source>This is not a GGUF file: it has only %1 bytes.</source>
        <translation>Это не файл GGUF: в нём всего %1 байт.</translation>
    </message>
    <message>
        <source>This is not a GGUF file: it begins with &quot;%1&quot; instead of &quot;GGUF&quot;.</source>
        <translation>Это не файл GGUF: вместо «GGUF» он начинается с «%1».</translation>
    </message>
    <message>
        <source>The GGUF version is 0, which is invalid: the file is damaged.</source>
        <translation>Версия GGUF — 0, такой не бывает: файл повреждён.</translation>
    </message>
    <message>
        <source>GGUF version 1 is no longer supported; get the model as GGUF version 3.</source>
        <translation>GGUF версии 1 больше не поддерживается. Возьмите эту модель в GGUF версии 3.</translation>
    </message>
    <message>
        <source>This is a big-endian GGUF file (version %1); get the little-endian one.</source>
        <translation>Этот файл GGUF (версия %1) записан для машины с другим порядком байтов. Возьмите обычный.</translation>
    </message>
    <message>
        <source>The file needs a newer version of the program: its GGUF version is %1, and versions 2 and 3 are known.</source>
        <translation>Файлу нужна более новая версия программы: его версия GGUF — %1, а известны 2 и 3.</translation>
    </message>
    <message>
        <source>The key count %1 cannot fit in %2 bytes.</source>
        <translation>Столько ключей (%1) не поместится в %2 байт: файл повреждён.</translation>
    </message>
    <message>
        <source>The tensor count %1 cannot fit in %2 bytes.</source>
        <translation>Столько тензоров (%1) не поместится в %2 байт: файл повреждён.</translation>
    </message>
    <message>
        <source>Key %1 of %2</source>
        <translation>Ключ %1 из %2</translation>
    </message>
    <message>
        <source>Tensor %1 of %2</source>
        <translation>Тензор %1 из %2</translation>
    </message>
    <message>
        <source>Tensor &quot;%1&quot;</source>
        <translation>Тензор «%1»</translation>
    </message>
    <message>
        <source>The value of &quot;%1&quot;</source>
        <translation>Значение «%1»</translation>
    </message>
    <message>
        <source>Array &quot;%1&quot;</source>
        <translation>Массив «%1»</translation>
    </message>
    <message>
        <source>%1 is missing: the key section ends early.</source>
        <translation>%1 отсутствует: раздел ключей обрывается.</translation>
    </message>
    <message>
        <source>%1 is missing: the tensor section ends early.</source>
        <translation>%1 отсутствует: раздел тензоров обрывается.</translation>
    </message>
    <message>
        <source>The type of key &quot;%1&quot; is missing: the file ends early.</source>
        <translation>Нет типа ключа «%1»: файл обрывается.</translation>
    </message>
    <message>
        <source>The value of &quot;%1&quot; is missing: the file ends early.</source>
        <translation>Нет значения «%1»: файл обрывается.</translation>
    </message>
    <message>
        <source>The offset of tensor &quot;%1&quot; is missing: the file ends early.</source>
        <translation>Нет смещения тензора «%1»: файл обрывается.</translation>
    </message>
    <message>
        <source>%1 is missing: the file ends early.</source>
        <translation>%1 отсутствует: файл обрывается.</translation>
    </message>
    <message>
        <source>%1 ends early.</source>
        <translation>%1: файл обрывается.</translation>
    </message>
    <message>
        <source>%1 has length %2, but only %3 bytes are left in the file.</source>
        <translation>%1: длина %2, а в файле осталось всего %3 байт.</translation>
    </message>
    <message>
        <source>%1 has a name of length %2, but only %3 bytes are left in the file.</source>
        <translation>%1: длина имени %2, а в файле осталось всего %3 байт.</translation>
    </message>
    <message>
        <source>%1 has count %2, but only %3 bytes are left in the file.</source>
        <translation>%1: элементов %2, а в файле осталось всего %3 байт.</translation>
    </message>
    <message>
        <source>Element %1 of array &quot;%2&quot; has length %3, but only %4 bytes are left in the file.</source>
        <translation>Элемент %1 массива «%2»: длина %3, а в файле осталось всего %4 байт.</translation>
    </message>
    <message>
        <source>%1 has length %2, beyond the limit of %3.</source>
        <translation>%1: длина %2 больше допустимой, %3.</translation>
    </message>
    <message>
        <source>%1 has a name of length %2, beyond the limit of %3: the tensor section is unreadable.</source>
        <translation>%1: длина имени %2 больше допустимой, %3. Раздел тензоров не читается.</translation>
    </message>
    <message>
        <source>%1 has count %2, beyond the limit of %3.</source>
        <translation>%1: элементов %2, больше допустимого, %3.</translation>
    </message>
    <message>
        <source>%1 is empty: a key needs a name.</source>
        <translation>%1: у ключа нет имени.</translation>
    </message>
    <message>
        <source>%1 has an empty name.</source>
        <translation>%1: имя пусто.</translation>
    </message>
    <message>
        <source>%1 is not valid text: &quot;%2&quot;.</source>
        <translation>%1: это не текст, а «%2».</translation>
    </message>
    <message>
        <source>%1 has a name that is not valid text: &quot;%2&quot;.</source>
        <translation>%1: имя — не текст, а «%2».</translation>
    </message>
    <message>
        <source>Key &quot;%1&quot; has the unknown type %2.</source>
        <translation>У ключа «%1» неизвестный тип %2.</translation>
    </message>
    <message>
        <source>The file has the duplicate key &quot;%1&quot;.</source>
        <translation>Ключ «%1» стоит в файле дважды.</translation>
    </message>
    <message>
        <source>The file has the duplicate tensor &quot;%1&quot;.</source>
        <translation>Тензор «%1» стоит в файле дважды.</translation>
    </message>
    <message>
        <source>%1 has the unknown tensor type %2; the file needs a newer version of the program.</source>
        <translation>%1: тип тензора %2 неизвестен. Файлу нужна более новая версия программы.</translation>
    </message>
    <message>
        <source>%1 has the unknown tensor type %2.</source>
        <translation>%1: тип тензора %2 неизвестен.</translation>
    </message>
    <message>
        <source>%1 has type %2, which was removed from the format; get a newer quantization of this model.</source>
        <translation>%1: тип %2 убран из формата. Возьмите более новое квантование этой модели.</translation>
    </message>
    <message>
        <source>%1 has %2 dimensions; 1 to %3 are possible.</source>
        <translation>%1: измерений %2, а возможно от 1 до %3.</translation>
    </message>
    <message>
        <source>%1: dimension %2 is zero.</source>
        <translation>%1: измерение %2 равно нулю.</translation>
    </message>
    <message>
        <source>%1: dimension %2 is %3, which is no possible size.</source>
        <translation>%1: измерение %2 равно %3, такого размера не бывает.</translation>
    </message>
    <message>
        <source>%1: the element count overflows at dimension %2 of size %3.</source>
        <translation>%1: слишком много элементов, измерение %2 равно %3.</translation>
    </message>
    <message>
        <source>%1: the row length %2 is not a multiple of %3, the block of type %4.</source>
        <translation>%1: длина строки %2 не делится на %3, блок типа %4.</translation>
    </message>
    <message>
        <source>%1: the byte size overflows.</source>
        <translation>%1: размер слишком велик.</translation>
    </message>
    <message>
        <source>The start of the tensor data overflows.</source>
        <translation>Начало данных тензоров лежит слишком далеко: файл повреждён.</translation>
    </message>
    <message>
        <source>The file has no tensor data: it ends at %1, where the data should begin at %2.</source>
        <translation>В файле нет данных тензоров: он кончается на %1, а данные должны начинаться с %2.</translation>
    </message>
    <message>
        <source>Tensor &quot;%1&quot; at offset %2</source>
        <translation>Тензор «%1» по смещению %2</translation>
    </message>
    <message>
        <source>%1 is not aligned to %2 bytes.</source>
        <translation>%1: нет выравнивания по %2 байт.</translation>
    </message>
    <message>
        <source>%1 overlaps the tensor before it, which ends at %2.</source>
        <translation>%1: накладывается на предыдущий тензор, который кончается на %2.</translation>
    </message>
    <message>
        <source>%1 with %2 bytes: the total size overflows.</source>
        <translation>%1 и размер %2 байт: вместе слишком много.</translation>
    </message>
    <message>
        <source>The file is incomplete: its tensors need %1 bytes, but it has %2. Download it again or let the download finish.</source>
        <translation>Файл неполный: тензорам нужно %1 байт, а в нём %2. Скачайте его снова или дождитесь конца загрузки.</translation>
    </message>
    <message>
        <source>A second GGUF file is glued behind the first: two files were joined. Only the first is used.</source>
        <translation>За первым файлом GGUF приклеен второй: два файла соединены в один. Используется только первый.</translation>
    </message>
    <message>
        <source>The file has %1 bytes behind its tensors, which are ignored.</source>
        <translation>За тензорами в файле ещё %1 байт, они не используются.</translation>
    </message>
    <message>
        <source>The file %1 cannot be opened: %2.</source>
        <translation>Файл %1 не открывается: %2.</translation>
    </message>
    <message>
        <source>The file %1 cannot be read: %2.</source>
        <translation>Файл %1 не читается: %2.</translation>
    </message>
    <message>
        <source>No such file or directory</source>
        <translation>такого файла нет</translation>
    </message>
    <message>
        <source>Permission denied</source>
        <translation>нет прав доступа</translation>
    </message>
    <message>
        <source>Input/output error</source>
        <translation>ошибка чтения с диска</translation>
    </message>
    <message>
        <source>Cannot allocate memory</source>
        <translation>не хватает памяти</translation>
    </message>
    <message>
        <source>it is a folder</source>
        <translation>это папка</translation>
    </message>
    <message>
        <source>it is not an ordinary file</source>
        <translation>это не обычный файл</translation>
    </message>
    <message>
        <source>Part %1 of %2, &quot;%3&quot;, is missing. Get it too and put it beside the others.</source>
        <translation>Нет части %1 из %2, «%3». Скачайте её тоже и положите рядом с остальными.</translation>
    </message>
    <message>
        <source>Part %1 of %2, &quot;%3&quot;, cannot be used. %4</source>
        <translation>Часть %1 из %2, «%3», использовать нельзя. %4</translation>
    </message>
    <message>
        <source>The parts of this model were joined into one file, and that is not how they are used: keep the parts as separate files.</source>
        <translation>Части этой модели соединены в один файл, а нужны по отдельности: оставьте их отдельными файлами.</translation>
    </message>
    <message>
        <source>%1 Its name says that it is a raw piece of a larger file: join all pieces in their order into one file first.</source>
        <translation>%1 Судя по имени, это кусок большего файла: сначала соедините все куски по порядку в один файл.</translation>
    </message>
    <message>
        <source>The file does not say its architecture (key general.architecture).</source>
        <translation>В файле не указана архитектура (ключ general.architecture).</translation>
    </message>
    <message>
        <source>The model&apos;s architecture &quot;%1&quot; is not known to this version.</source>
        <translation>Архитектура модели «%1» этой версии программы неизвестна.</translation>
    </message>
    <message>
        <source>The file has no key %1.</source>
        <translation>В файле нет ключа %1.</translation>
    </message>
    <message>
        <source>The file has no tensor %1.</source>
        <translation>В файле нет тензора %1.</translation>
    </message>
    <message>
        <source>%1 has %2 values for %3 layers.</source>
        <translation>%1: значений %2, а слоёв %3.</translation>
    </message>
    <message>
        <source>%1 is %2, which is out of range.</source>
        <translation>%1 равно %2, такого не бывает.</translation>
    </message>
    <message>
        <source>The tensor %1 has shape %2, expected %3.</source>
        <translation>Форма тензора %1 — %2, а нужна %3.</translation>
    </message>
    <message>
        <source>The tensor %1 has type %2, which a norm or bias cannot have.</source>
        <translation>У тензора %1 тип %2, для нормы или смещения он не годится.</translation>
    </message>
    <message>
        <source>The tensor %1 cannot be used on %2: %3.</source>
        <translation>Тензор %1 нельзя использовать на устройстве %2: %3.</translation>
    </message>
    <message>
        <source>tensor type %1 is not supported on the processor</source>
        <translation>тип %1 на процессоре не поддерживается</translation>
    </message>
    <message>
        <source>the tensor type %1 is not supported</source>
        <translation>тип %1 не поддерживается</translation>
    </message>
    <message>
        <source>Vulkan has no shader for the op %1 with tensor type %2</source>
        <translation>для операции %1 с типом %2 нет шейдера Vulkan</translation>
    </message>
    <message>
        <source>Vulkan has no shader for the op %1</source>
        <translation>для операции %1 нет шейдера Vulkan</translation>
    </message>
    <message>
        <source>The file has no tokenizer: &quot;tokenizer.ggml.model&quot; is missing.</source>
        <translation>В файле нет токенизатора: отсутствует «tokenizer.ggml.model».</translation>
    </message>
    <message>
        <source>The file uses the unknown tokenizer &quot;%1&quot; (&quot;tokenizer.ggml.model&quot;).</source>
        <translation>Токенизатор «%1» из этого файла неизвестен («tokenizer.ggml.model»).</translation>
    </message>
    <message>
        <source>The file has no vocabulary: &quot;tokenizer.ggml.tokens&quot; is missing or empty.</source>
        <translation>В файле нет словаря: «tokenizer.ggml.tokens» отсутствует или пуст.</translation>
    </message>
    <message>
        <source>The vocabulary cuts words in the unknown way &quot;%1&quot; (&quot;tokenizer.ggml.pre&quot;).</source>
        <translation>Словарь делит слова неизвестным способом «%1» («tokenizer.ggml.pre»).</translation>
    </message>
    <message>
        <source>The vocabulary has no merges: &quot;tokenizer.ggml.merges&quot; is missing.</source>
        <translation>В словаре нет слияний: отсутствует «tokenizer.ggml.merges».</translation>
    </message>
    <message>
        <source>The vocabulary has no scores: &quot;tokenizer.ggml.scores&quot; is missing.</source>
        <translation>В словаре нет весов: отсутствует «tokenizer.ggml.scores».</translation>
    </message>
    <message>
        <source>The model file changed while it was being read; load it again.</source>
        <translation>Файл модели изменился во время чтения. Загрузите её снова.</translation>
    </message>
    <message>
        <source>The model&apos;s chat template cannot be used (%1), so the model continues text instead of answering.</source>
        <translation>Шаблон чата этой модели использовать нельзя (%1), поэтому она продолжает текст, а не отвечает.</translation>
    </message>
    <message>
        <source>The model&apos;s chat template refuses this chat: %1</source>
        <translation>Шаблон чата этой модели не принимает такой чат: %1</translation>
    </message>
    <message>
        <source>The model was trained for %1 tokens; the context is %1 instead of %2.</source>
        <translation>Модель обучена на %1 токенов, поэтому контекст — %1, а не %2.</translation>
    </message>
    <message>
        <source>The model needs %1 and %2 has %3 free: %4 short. A context of %5 tokens would fit.</source>
        <translation>Модели нужно %1, а на устройстве %2 свободно %3: не хватает %4. Контекст в %5 токенов поместился бы.</translation>
    </message>
    <message>
        <source>The model needs %1 and %2 has %3 free: %4 short. Choose a smaller quantization or close other programs.</source>
        <translation>Модели нужно %1, а на устройстве %2 свободно %3: не хватает %4. Возьмите меньшее квантование или закройте другие программы.</translation>
    </message>
    <message>
        <source>The cache for this context is larger than any memory; choose a shorter context.</source>
        <translation>Кэш для такого контекста больше любой памяти. Выберите контекст короче.</translation>
    </message>
    <message>
        <source>The model has attention sinks, which a coarser KV cache would spoil, so its KV cache is f16 instead of %1.</source>
        <translation>У модели есть стоки внимания, которые портятся в более грубом KV-кэше, поэтому её KV-кэш — f16, а не %1.</translation>
    </message>
    <message>
        <source>The model compresses keys, which are only kept as f16 or f32, so its KV cache is f16 instead of %1.</source>
        <translation>Модель сжимает ключи, а они хранятся только как f16 или f32, поэтому её KV-кэш — f16, а не %1.</translation>
    </message>
    <message>
        <source>The model&apos;s heads of %1 values cannot be kept as %2, which takes 32 at a time, so keys are kept as f16.</source>
        <translation>Головы модели по %1 чисел нельзя хранить как %2: этот тип берёт по 32 числа, поэтому ключи хранятся как f16.</translation>
    </message>
    <message>
        <source>The model&apos;s heads of %1 values cannot be kept as %2, which takes 32 at a time, so values are kept as f16.</source>
        <translation>Головы модели по %1 чисел нельзя хранить как %2: этот тип берёт по 32 числа, поэтому значения хранятся как f16.</translation>
    </message>
    <message>
        <source>The system has no room for %1; %2 are free.</source>
        <translation>В памяти нет места для %1, свободно %2.</translation>
    </message>
    <message>
        <source>The system has no room for %1.</source>
        <translation>В памяти нет места для %1.</translation>
    </message>
    <message>
        <source>The load was cancelled.</source>
        <translation>Загрузка отменена.</translation>
    </message>
    <message>
        <source>The model is not loaded.</source>
        <translation>Модель не загружена.</translation>
    </message>
    <message>
        <source>No model is loaded. Choose one and try again.</source>
        <translation>Модель не загружена. Выберите её и повторите.</translation>
    </message>
    <message>
        <source>The model was replaced by another one; send the message again.</source>
        <translation>Вместо этой модели загружена другая. Отправьте сообщение снова.</translation>
    </message>
    <message>
        <source>The chat has %1 tokens and the context holds %2.</source>
        <translation>В чате %1 токенов, а в контекст помещается %2.</translation>
    </message>
    <message>
        <source>The context of %1 tokens is full.</source>
        <translation>Контекст в %1 токенов заполнен.</translation>
    </message>
    <message>
        <source>The cache has no room for this prompt; load the model with a longer context.</source>
        <translation>В кэше нет места для этого запроса. Загрузите модель с более длинным контекстом.</translation>
    </message>
    <message>
        <source>The prompt is empty; there is nothing to continue.</source>
        <translation>Запрос пуст, продолжать нечего.</translation>
    </message>
    <message>
        <source>The model&apos;s numbers overflowed (the logit of token %1 is not finite); the file may be damaged. Another device may help.</source>
        <translation>Числа модели вышли за пределы (логит токена %1 не конечен). Возможно, файл повреждён. Попробуйте другое устройство.</translation>
    </message>
    <message>
        <source>first turn</source>
        <translation>первый вопрос</translation>
    </message>
    <message>
        <source>edited message</source>
        <translation>изменённое сообщение</translation>
    </message>
    <message>
        <source>evicted</source>
        <translation>вытеснено из кэша</translation>
    </message>
    <message>
        <source>window moved</source>
        <translation>окно внимания ушло дальше</translation>
    </message>
    <message>
        <source>The device &quot;%1&quot; cannot be used. %2</source>
        <translation>Устройство «%1» использовать нельзя. %2</translation>
    </message>
    <message>
        <source>There is no device named &quot;%1&quot;. The command `devices` lists them.</source>
        <translation>Устройства «%1» нет.</translation>
    </message>
    <message>
        <source>No device can be used.</source>
        <translation>Нет ни одного пригодного устройства.</translation>
    </message>
    <message>
        <source>%1 is not used: %2</source>
        <translation>%1 не используется: %2</translation>
    </message>
    <message>
        <source>%1 of %2 layers run on %3 and the experts of %4 layers on the processor: about %5 tokens per second.</source>
        <translation>%1 из %2 слоёв работают на %3, а эксперты %4 слоёв — на процессоре: около %5 токенов в секунду.</translation>
    </message>
    <message>
        <source>%1 of %2 layers run on %3 and the experts of %4 layers on the processor.</source>
        <translation>%1 из %2 слоёв работают на %3, а эксперты %4 слоёв — на процессоре.</translation>
    </message>
    <message>
        <source>%1 of %2 layers run on %3, the others on the processor: about %4 tokens per second.</source>
        <translation>%1 из %2 слоёв работают на %3, остальные — на процессоре: около %4 токенов в секунду.</translation>
    </message>
    <message>
        <source>%1 of %2 layers run on %3, the others on the processor.</source>
        <translation>%1 из %2 слоёв работают на %3, остальные — на процессоре.</translation>
    </message>
    <message>
        <source>%1 of %2 layers run on %3: about %4 tokens per second.</source>
        <translation>%1 из %2 слоёв работают на %3: около %4 токенов в секунду.</translation>
    </message>
    <message>
        <source>%1 of %2 layers run on %3.</source>
        <translation>%1 из %2 слоёв работают на %3.</translation>
    </message>
    <message>
        <source>it has no room for a layer of this model.</source>
        <translation>на нём нет места ни для одного слоя этой модели.</translation>
    </message>
    <message>
        <source>The model needs %1, more than %2 have free: %3 short. Choose a smaller quantization or close other programs.</source>
        <translation>Модели нужно %1 — больше, чем свободно на %2: не хватает %3. Выберите меньшую квантизацию или закройте другие программы.</translation>
    </message>
    <message>
        <source>A model that is divided over devices reads its prompts itself; choose no other device for that.</source>
        <translation>Модель, разделённая между устройствами, читает запросы сама; не выбирайте для этого другое устройство.</translation>
    </message>
    <message>
        <source>The model is larger than any memory.</source>
        <translation>Модель больше любой памяти.</translation>
    </message>
    <message>
        <source>%1 was passed over: its self-test took %2 ms, that of %3 %4 ms.</source>
        <translation>%1 не выбрано: его самопроверка заняла %2 мс, а у %3 — %4 мс.</translation>
    </message>
    <message>
        <source>%1 cannot be used: its driver has Vulkan %2, and 1.2 is needed.</source>
        <translation>%1 использовать нельзя: его драйвер знает Vulkan %2, а нужен 1.2.</translation>
    </message>
    <message>
        <source>%1 cannot be used: it lacks %2.</source>
        <translation>%1 использовать нельзя: нет нужной возможности (%2).</translation>
    </message>
    <message>
        <source>%1 cannot be used: it takes less than 128 bytes of push constants.</source>
        <translation>%1 использовать нельзя: слишком мало места для параметров шейдера.</translation>
    </message>
    <message>
        <source>%1 cannot be used: it has no queue for computing.</source>
        <translation>%1 использовать нельзя: на нём нельзя вычислять.</translation>
    </message>
    <message>
        <source>%1 could not be opened: %2.</source>
        <translation>%1 не открывается: %2.</translation>
    </message>
    <message>
        <source>buffer device addresses</source>
        <translation>адреса буферов</translation>
    </message>
    <message>
        <source>64-bit integers in shaders</source>
        <translation>64-битные целые в шейдерах</translation>
    </message>
    <message>
        <source>16-bit storage</source>
        <translation>16-битные данные</translation>
    </message>
    <message>
        <source>timeline semaphores</source>
        <translation>семафоры со счётчиком</translation>
    </message>
    <message>
        <source>A software device, used only when asked for.</source>
        <translation>Программное устройство, используется только по желанию.</translation>
    </message>
    <message>
        <source>No Vulkan loader was found. It comes with the graphics driver, or with the system package of the Vulkan loader.</source>
        <translation>Загрузчик Vulkan не найден. Он приходит с драйвером видеокарты или отдельным пакетом системы.</translation>
    </message>
    <message>
        <source>The Vulkan loader is too old (%1); version 1.2 is needed.</source>
        <translation>Загрузчик Vulkan слишком старый (%1), нужна версия 1.2.</translation>
    </message>
    <message>
        <source>No Vulkan driver is installed.</source>
        <translation>Драйвер Vulkan не установлен.</translation>
    </message>
    <message>
        <source>Vulkan could not be started: %1.</source>
        <translation>Vulkan не запускается: %1.</translation>
    </message>
    <message>
        <source>Vulkan is installed, but no driver offers a device.</source>
        <translation>Vulkan установлен, но ни один драйвер не даёт устройства.</translation>
    </message>
    <message>
        <source>This build has no Vulkan part.</source>
        <translation>Эта сборка без Vulkan.</translation>
    </message>
    <message>
        <source>the system has no memory left</source>
        <translation>в системе кончилась память</translation>
    </message>
    <message>
        <source>the device has no memory left</source>
        <translation>на устройстве кончилась память</translation>
    </message>
    <message>
        <source>the device was lost (its driver stopped or reset it); load the model again</source>
        <translation>связь с устройством потеряна (драйвер остановил или сбросил его), загрузите модель снова</translation>
    </message>
    <message>
        <source>the driver could not be initialised</source>
        <translation>драйвер не запускается</translation>
    </message>
    <message>
        <source>the driver could not map memory</source>
        <translation>драйвер не дал доступа к памяти</translation>
    </message>
    <message>
        <source>an extension is missing</source>
        <translation>нет нужного расширения</translation>
    </message>
    <message>
        <source>a feature is missing</source>
        <translation>нет нужной возможности</translation>
    </message>
    <message>
        <source>the driver does not fit</source>
        <translation>драйвер не подходит</translation>
    </message>
    <message>
        <source>the driver reported error %1</source>
        <translation>драйвер сообщил об ошибке %1</translation>
    </message>
    <message>
        <source>%1 could not give %2: %3 (%4 are free).</source>
        <translation>%1 не дало %2: %3 (свободно %4).</translation>
    </message>
    <message>
        <source>%1 could not give %2: %3.</source>
        <translation>%1 не дало %2: %3.</translation>
    </message>
    <message>
        <source>This computer has an NVIDIA card, but its driver is not installed or not running.</source>
        <translation>В компьютере есть карта NVIDIA, но её драйвер не установлен или не запущен.</translation>
    </message>
    <message>
        <source>No NVIDIA driver is installed, and no NVIDIA card was found.</source>
        <translation>Драйвер NVIDIA не установлен, и карты NVIDIA не видно.</translation>
    </message>
    <message>
        <source>The NVIDIA driver is too old: it knows CUDA %1, this build needs %2. Please update the driver.</source>
        <translation>Драйвер NVIDIA слишком старый: он знает CUDA %1, а этой сборке нужна %2. Обновите драйвер.</translation>
    </message>
    <message>
        <source>The NVIDIA driver sees no card.</source>
        <translation>Драйвер NVIDIA не видит карты.</translation>
    </message>
    <message>
        <source>%1 has compute capability %2; %3 is the least that this program can use.</source>
        <translation>%1: вычислительная способность %2, а программе нужна не ниже %3.</translation>
    </message>
    <message>
        <source>This computer has an NVIDIA card, but this build has no CUDA part; &quot;installer/run.sh --with-cuda&quot; builds it.</source>
        <translation>В компьютере есть карта NVIDIA, но эта сборка без CUDA; её собирает «installer/run.sh --with-cuda».</translation>
    </message>
    <message>
        <source>This build has no CUDA part, and no NVIDIA card was found.</source>
        <translation>Эта сборка без CUDA, и карты NVIDIA не видно.</translation>
    </message>
    <message>
        <source>%1 has no room for %2: %3 of %4 are free. Close other programs, or take a smaller model or context.</source>
        <translation>%1: нет места для %2, свободно %3 из %4. Закройте другие программы, возьмите модель меньше или контекст короче.</translation>
    </message>
    <message>
        <source>%1 has no room for %2. Close other programs, or take a smaller model or context.</source>
        <translation>%1: нет места для %2. Закройте другие программы, возьмите модель меньше или контекст короче.</translation>
    </message>
    <message>
        <source>It is for tests and only used when asked for.</source>
        <translation>Только для проверок, используется по желанию.</translation>
    </message>
    <message>
        <source>This build has no emulator; it is part of builds with tests.</source>
        <translation>В этой сборке нет эмулятора, он есть в сборках с проверками.</translation>
    </message>
    <message>
        <source>CUDA kernels on the processor</source>
        <translation>ядра CUDA на процессоре</translation>
    </message>
    <message>
        <source>it is empty (not a GGUF file: only 0 bytes)</source>
        <translation>он пуст (это не файл GGUF: в нём 0 байт)</translation>
    </message>
    <message>
        <source>This is a projector (mmproj): it lets a language model see or hear, and belongs beside that model&apos;s own file. Open the model instead.</source>
        <translation>Это проектор (mmproj): с ним языковая модель видит или слышит, он лежит рядом с её файлом. Откройте саму модель.</translation>
    </message>
    <message>
        <source>This is an adapter (LoRA): a change to a language model, not a model. Open the model that it was made for.</source>
        <translation>Это адаптер (LoRA): поправка к языковой модели, а не модель. Откройте модель, для которой он сделан.</translation>
    </message>
    <message>
        <source>This is an importance matrix, which helps to quantize a model; it is not a model.</source>
        <translation>Это матрица важности, она помогает квантовать модель; сама она не модель.</translation>
    </message>
    <message>
        <source>This is a control vector: it steers a language model and is not a model itself.</source>
        <translation>Это управляющий вектор: он направляет языковую модель, но сам не модель.</translation>
    </message>
    <message>
        <source>This is an embedding model: it turns texts into vectors for searching and writes no answers.</source>
        <translation>Это модель векторов: она превращает тексты в векторы для поиска и не пишет ответов.</translation>
    </message>
    <message>
        <source>This is a speech model: it turns speech into text or text into speech and writes no answers.</source>
        <translation>Это речевая модель: она превращает речь в текст или текст в речь и не пишет ответов.</translation>
    </message>
    <message>
        <source>This is an image or video model: it makes pictures and writes no answers.</source>
        <translation>Это модель изображений или видео: она рисует и не пишет ответов.</translation>
    </message>
    <message>
        <source>This is a speech model (Whisper): it turns speech into text and writes no answers.</source>
        <translation>Это речевая модель (Whisper): она превращает речь в текст и не пишет ответов.</translation>
    </message>
    <message>
        <source>The file has no weights: it holds a vocabulary or other keys, but no model.</source>
        <translation>В файле нет весов: в нём словарь или другие ключи, но не модель.</translation>
    </message>
    <message>
        <source>%1 is %2 for layer %3; it must be between %4 and %5.</source>
        <translation>%1 равно %2 для слоя %3, а должно быть от %4 до %5.</translation>
    </message>
    <message>
        <source>%1 must be true or false.</source>
        <translation>%1 должно быть «да» или «нет».</translation>
    </message>
    <message>
        <source>The tensor %1 has %2 values, expected %3.</source>
        <translation>В тензоре %1 значений %2, а нужно %3.</translation>
    </message>
    <message>
        <source>The vocabulary has no token for byte %1 and no unknown token (&quot;tokenizer.ggml.unknown_token_id&quot;), so some texts could not be read.</source>
        <translation>В словаре нет токена для байта %1 и нет неизвестного токена («tokenizer.ggml.unknown_token_id»), поэтому некоторые тексты нельзя прочитать.</translation>
    </message>
    <message>
        <source>The number of parts (&quot;split.count&quot;) is %1; 1 to %2 are possible.</source>
        <translation>Число частей («split.count») — %1, а возможно от 1 до %2.</translation>
    </message>
    <message>
        <source>Part %1 of %2, &quot;%3&quot;, belongs to another model: its key &quot;%4&quot; is not that of the first part.</source>
        <translation>Часть %1 из %2, «%3», от другой модели: её ключ «%4» не такой, как у первой части.</translation>
    </message>
    <message>
        <source>The tensor &quot;%1&quot; stands in part %2 and in part %3 of the model: parts were mixed up.</source>
        <translation>Тензор «%1» стоит и в части %2, и в части %3 модели: части перепутаны.</translation>
    </message>
    <message>
        <source>it changed meanwhile and is shorter now; load it again</source>
        <translation>он изменился и стал короче, загрузите его снова</translation>
    </message>
    <message>
        <source>%1 is too large for this device</source>
        <translation>%1 слишком велико для этого устройства</translation>
    </message>
    <message>
        <source>The file keeps keys and values of its latent attention in one tensor, an old form; a newer conversion of the model is needed.</source>
        <translation>В файле ключи и значения скрытого внимания лежат в одном тензоре, это старый вид. Возьмите более новое преобразование модели.</translation>
    </message>
    <message>
        <source>%1 is %2; it must be between %3 and %4.</source>
        <translation>%1 равно %2, а должно быть от %3 до %4.</translation>
    </message>
    <message>
        <source>%1 must be true or false (1 or 0), not %2.</source>
        <translation>%1 должно быть «истина» или «ложь» (1 или 0), а не %2.</translation>
    </message>
    <message>
        <source>%1 must hold true or false (1 or 0) only.</source>
        <translation>%1 может содержать только «истина» или «ложь» (1 или 0).</translation>
    </message>
    <message>
        <source>%1 must be finite.</source>
        <translation>%1 должно быть конечным числом.</translation>
    </message>
    <message>
        <source>%1 has elements of the unknown type %2.</source>
        <translation>%1: элементы неизвестного типа %2.</translation>
    </message>
    <message>
        <source>%1 holds arrays: nested arrays are not supported.</source>
        <translation>%1 содержит массивы: вложенные массивы не поддерживаются.</translation>
    </message>
    <message>
        <source>&quot;general.alignment&quot; must be a u32, but it is of type %1.</source>
        <translation>«general.alignment» должно быть числом u32, а его тип — «%1».</translation>
    </message>
    <message>
        <source>&quot;general.alignment&quot; is %1, but the alignment must be a power of two between 1 and %2.</source>
        <translation>«general.alignment» равно %1, а выравнивание должно быть степенью двойки от 1 до %2.</translation>
    </message>
    <message>
        <source>%1 with %2 bytes is not where it is expected: at offset %3.</source>
        <translation>%1 (байтов: %2) находится не там, где должен: ожидалось смещение %3.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; must be %2, but it is of type %3.</source>
        <translation>«%1» должно быть: %2, а его тип — «%3».</translation>
    </message>
    <message>
        <source>an unsigned integer</source>
        <translation>целое число без знака</translation>
    </message>
    <message>
        <source>a number</source>
        <translation>число</translation>
    </message>
    <message>
        <source>true or false</source>
        <translation>«истина» или «ложь»</translation>
    </message>
    <message>
        <source>a text</source>
        <translation>текст</translation>
    </message>
    <message>
        <source>an array of texts</source>
        <translation>массив текстов</translation>
    </message>
    <message>
        <source>an array of integers</source>
        <translation>массив целых чисел</translation>
    </message>
    <message>
        <source>an array of floating-point numbers</source>
        <translation>массив чисел с плавающей запятой</translation>
    </message>
    <message>
        <source>&quot;%1&quot; must be an unsigned integer, but it is %2.</source>
        <translation>«%1» должно быть целым числом без знака, а оно равно %2.</translation>
    </message>
    <message>
        <source>Element %1 of &quot;%2&quot; is %3, which is too large.</source>
        <translation>Элемент %1 ключа «%2» равен %3, это слишком много.</translation>
    </message>
    <message>
        <source>Element %1 of &quot;%2&quot; must be finite.</source>
        <translation>Элемент %1 ключа «%2» должен быть конечным числом.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is part %2 of a model in %3 parts (&quot;split.no&quot;, &quot;split.count&quot;), but its name does not say so: let it end in &quot;%4&quot;, with the others beside it.</source>
        <translation>«%1» — часть %2 модели из частей (всего %3; «split.no», «split.count»), но имя файла этого не говорит: пусть оно кончается на «%4», а остальные части лежат рядом.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is part %2 of a model in %3 parts (&quot;split.no&quot;, &quot;split.count&quot;), but its name says part %4 of %5: it was mixed up or renamed.</source>
        <translation>«%1» — часть %2 модели из частей (всего %3; «split.no», «split.count»), но по имени файла это часть %4 из %5: части перепутаны или переименованы.</translation>
    </message>
    <message>
        <source>Part %1 of %2, &quot;%3&quot;, is wrong: %4</source>
        <translation>Часть %1 из %2, «%3», неверна: %4</translation>
    </message>
    <message>
        <source>Part %1 of %2, &quot;%3&quot;, does not say which part it is (&quot;split.no&quot; or &quot;split.count&quot; is missing).</source>
        <translation>Часть %1 из %2, «%3», не говорит, какая она по счёту (нет «split.no» или «split.count»).</translation>
    </message>
    <message>
        <source>Part %1 of %2, &quot;%3&quot;, belongs to a model in %4 parts (&quot;split.count&quot;), not %5: parts of two models were mixed up.</source>
        <translation>Часть %1 из %2, «%3», принадлежит модели из другого числа частей («split.count»: %4, а не %5): перепутаны части двух моделей.</translation>
    </message>
    <message>
        <source>Part %1 of %2, &quot;%3&quot;, says that it is part %4 (&quot;split.no&quot;): it was mixed up or renamed.</source>
        <translation>Часть %1 из %2, «%3», говорит, что она часть %4 («split.no»): части перепутаны или переименованы.</translation>
    </message>
    <message>
        <source>The number of this part (&quot;split.no&quot;) is %1, but &quot;split.count&quot; is %2: parts count from 0.</source>
        <translation>Номер этой части («split.no»): %1, а «split.count» равно %2: части считаются с 0.</translation>
    </message>
    <message>
        <source>The parts hold %1 tensors together, but the model has %2 (&quot;split.tensors.count&quot;): parts of two models were mixed up.</source>
        <translation>В частях вместе тензоров: %1, а в модели их %2 («split.tensors.count»): перепутаны части двух моделей.</translation>
    </message>
    <message>
        <source>The tensor %1 holds the factor %2; factors must be above zero.</source>
        <translation>Тензор %1 содержит множитель %2; множители должны быть больше нуля.</translation>
    </message>
    <message>
        <source>%1 is %2; it must be even and at most the head size %3.</source>
        <translation>%1 равно %2; это должно быть чётное число не больше размера головы %3.</translation>
    </message>
    <message>
        <source>%1 is &quot;%2&quot;, which is not known.</source>
        <translation>%1: значение «%2» неизвестно.</translation>
    </message>
    <message>
        <source>%1 must have one value for each of the %2 layers.</source>
        <translation>%1 должно иметь по значению на каждый слой (слоёв: %2).</translation>
    </message>
    <message>
        <source>%1 has %2 values, and none for layer %3.</source>
        <translation>%1: значений %2, и для слоя %3 ни одного.</translation>
    </message>
    <message>
        <source>%1 is %2 for layer %3, which is out of range.</source>
        <translation>%1 равно %2 для слоя %3, это вне допустимых границ.</translation>
    </message>
    <message>
        <source>The tensor %1 has %2 rows, which is too many.</source>
        <translation>У тензора %1 слишком много строк: %2.</translation>
    </message>
    <message>
        <source>The tensor %1 has rows of %2, which is too many.</source>
        <translation>У тензора %1 слишком длинные строки: %2.</translation>
    </message>
    <message>
        <source>%1 is %2, which does not divide the %3 heads.</source>
        <translation>%1 равно %2, и на это число не делится число голов %3.</translation>
    </message>
    <message>
        <source>%1 is 0 for layer %2, which has a feed-forward.</source>
        <translation>%1 равно 0 для слоя %2, а у него есть полносвязная часть.</translation>
    </message>
    <message>
        <source>The file has the tensor %1, but %2 is %3.</source>
        <translation>В файле есть тензор %1, но %2 равно %3.</translation>
    </message>
    <message>
        <source>%1 leaves no layers.</source>
        <translation>%1 не оставляет ни одного слоя.</translation>
    </message>
    <message>
        <source>token_embd.weight has rows of %1, expected %2.</source>
        <translation>Длина строк token_embd.weight — %1, а нужна %2.</translation>
    </message>
    <message>
        <source>The vocabulary of %1 tokens is too large.</source>
        <translation>Словарь из %1 токенов слишком велик.</translation>
    </message>
    <message>
        <source>%1 is %2, which is no multiple of the %3 of %4.</source>
        <translation>%1 равно %2 и не делится на %3 (%4).</translation>
    </message>
    <message>
        <source>%1 is %2, and the file has no tensors of experts.</source>
        <translation>%1 равно %2, а тензоров экспертов в файле нет.</translation>
    </message>
    <message>
        <source>%1 does not divide the %2 experts.</source>
        <translation>На %1 не делится число экспертов %2.</translation>
    </message>
    <message>
        <source>%1 is %2; it must be more than the %3 values that turn.</source>
        <translation>%1 равно %2; это должно быть больше числа вращаемых значений %3.</translation>
    </message>
    <message>
        <source>%1 is %2; it must be at least the %3 values that turn.</source>
        <translation>%1 равно %2; это должно быть не меньше числа вращаемых значений %3.</translation>
    </message>
    <message>
        <source>ssm.inner_size is %1, which does not divide evenly among ssm.time_step_rank, %2, and ssm.group_count, %3.</source>
        <translation>ssm.inner_size равно %1 и не делится поровну на ssm.time_step_rank, %2, и ssm.group_count, %3.</translation>
    </message>
    <message>
        <source>The tensors of layer %1 do not fit heads of %2.</source>
        <translation>Тензоры слоя %1 не подходят к головам размера %2.</translation>
    </message>
    <message>
        <source>The file does not say how its vocabulary cuts words (&quot;tokenizer.ggml.pre&quot; is missing); get a newer GGUF of this model.</source>
        <translation>Файл не говорит, как его словарь режет слова (нет «tokenizer.ggml.pre»); возьмите более новый GGUF этой модели.</translation>
    </message>
    <message>
        <source>Merge %1 of &quot;tokenizer.ggml.merges&quot; is malformed or has unknown parts.</source>
        <translation>Слияние %1 в «tokenizer.ggml.merges» записано неверно или из неизвестных частей.</translation>
    </message>
    <message>
        <source>Token %1 of &quot;tokenizer.ggml.tokens&quot; has a malformed escape.</source>
        <translation>Токен %1 в «tokenizer.ggml.tokens» записан неверно.</translation>
    </message>
    <message>
        <source>Byte token %1 is malformed: it must be spelled &lt;0x00&gt; to &lt;0xFF&gt;.</source>
        <translation>Байтовый токен %1 записан неверно: должно быть от «&lt;0x00&gt;» до «&lt;0xFF&gt;».</translation>
    </message>
    <message>
        <source>&quot;%1&quot; must be an array of %2, but its element type is %3.</source>
        <translation>«%1» должно быть массивом «%2», а тип его элементов — «%3».</translation>
    </message>
    <message>
        <source>&quot;%1&quot; has %2 entries for %3 tokens.</source>
        <translation>«%1»: записей %2 на %3 токенов.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; has %2 scores for %3 tokens.</source>
        <translation>«%1»: оценок %2 на %3 токенов.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is %2, outside the vocabulary of %3 tokens.</source>
        <translation>«%1» равно %2, это вне словаря из %3 токенов.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; has %2 tokens, beyond the limit of %3.</source>
        <translation>«%1»: токенов %2, а предел — %3.</translation>
    </message>
    <message>
        <source>&quot;tokenizer.ggml.precompiled_charsmap&quot; is damaged: %1.</source>
        <translation>Таблица «tokenizer.ggml.precompiled_charsmap» повреждена: %1.</translation>
    </message>
    <message>
        <source>This is a diffusion model: it fills in masked tokens instead of continuing a text, and the decoder for that is not here yet. Choose another model for this chat.</source>
        <translation>Это диффузионная модель: она не продолжает текст, а заполняет скрытые токены, и декодера для этого здесь пока нет. Выберите для этого чата другую модель.</translation>
    </message>
    <message>
        <source>recurrent state</source>
        <translation>рекуррентное состояние</translation>
    </message>
    <message>
        <source>rope factors</source>
        <translation>множители RoPE</translation>
    </message>
    <message>
        <source>Layer %1 lacks its attention, its experts or a norm.</source>
        <translation>Слою %1 не хватает внимания, экспертов или нормы.</translation>
    </message>
    <message>
        <source>deepseek4 has one key head whose values are its keys, and heads in equal groups; this file&apos;s numbers do not fit.</source>
        <translation>У deepseek4 одна голова ключей, чьи значения — сами ключи, и равные группы голов; числа этого файла сюда не подходят.</translation>
    </message>
    <message>
        <source>The first layers of this model choose experts by token (deepseek4.hash_layer_count), which is not supported.</source>
        <translation>Первые слои этой модели выбирают экспертов по токену (deepseek4.hash_layer_count), это не поддерживается.</translation>
    </message>
    <message>
        <source>template dropped reasoning</source>
        <translation>шаблон убрал рассуждение</translation>
    </message>
    <message>
        <source>date in system prompt</source>
        <translation>дата в системной подсказке</translation>
    </message>
    <message>
        <source>model reloaded</source>
        <translation>модель загружена заново</translation>
    </message>
    <message>
        <source>Guessing ahead does not work with this model: its recurrent layers cannot take tokens back.</source>
        <translation>С этой моделью предугадывание не работает: её рекуррентные слои не умеют брать токены назад.</translation>
    </message>
    <message>
        <source>The draft model is not used: %1</source>
        <translation>Черновая модель не используется: %1</translation>
    </message>
    <message>
        <source>a model with recurrent layers or a diffusion model cannot take guesses back.</source>
        <translation>модель с рекуррентными слоями и диффузионная модель не умеют брать догадки назад.</translation>
    </message>
    <message>
        <source>its vocabulary differs from the model&apos;s: %1.</source>
        <translation>её словарь отличается от словаря модели: %1.</translation>
    </message>
    <message>
        <source>token %1 is another one</source>
        <translation>токен %1 другой</translation>
    </message>
    <message>
        <source>its size is another one</source>
        <translation>размер другой</translation>
    </message>
    <message>
        <source>Line %1 of the grammar: %2</source>
        <translation>Строка %1 грамматики: %2</translation>
    </message>
    <message>
        <source>Line %1 of the JSON schema is no valid JSON.</source>
        <translation>Строка %1 схемы JSON: это не JSON.</translation>
    </message>
    <message>
        <source>The JSON schema is no valid JSON.</source>
        <translation>Схема JSON записана с ошибкой: это не JSON.</translation>
    </message>
    <message>
        <source>The JSON schema cannot be used: %1</source>
        <translation>Эту схему JSON использовать нельзя: %1</translation>
    </message>
    <message>
        <source>a part of it has the wrong form.</source>
        <translation>одна из её частей имеет неверный вид.</translation>
    </message>
    <message>
        <source>The grammar has no rule &quot;root&quot;, with which it begins.</source>
        <translation>В грамматике нет правила «root», с которого она начинается.</translation>
    </message>
    <message>
        <source>The rule &quot;%1&quot; is used and not defined.</source>
        <translation>Правило «%1» используется, но не определено.</translation>
    </message>
    <message>
        <source>The rule &quot;%1&quot; begins with itself (left recursion); write it as a repetition.</source>
        <translation>Правило «%1» начинается с самого себя (левая рекурсия); запишите его как повторение.</translation>
    </message>
    <message>
        <source>No text can ever finish the rule &quot;%1&quot;.</source>
        <translation>Правило «%1» нельзя закончить никаким текстом.</translation>
    </message>
    <message>
        <source>The grammar is too large: it takes more than %1 states. Smaller numbers of repetitions may help.</source>
        <translation>Грамматика слишком велика: ей нужно больше %1 состояний. Может помочь меньшее число повторений.</translation>
    </message>
    <message>
        <source>the text ends where a name is expected.</source>
        <translation>текст кончается там, где ожидается имя.</translation>
    </message>
    <message>
        <source>there is &quot;%1&quot; where a name is expected.</source>
        <translation>там, где ожидается имя, стоит «%1».</translation>
    </message>
    <message>
        <source>there is &quot;%1&quot; where the rule should go on or end.</source>
        <translation>там, где правило должно продолжаться или кончиться, стоит «%1».</translation>
    </message>
    <message>
        <source>there is &quot;%1&quot; where &quot;)&quot; is expected.</source>
        <translation>там, где ожидается «)», стоит «%1».</translation>
    </message>
    <message>
        <source>the rule &quot;%1&quot; is defined twice.</source>
        <translation>правило «%1» определено дважды.</translation>
    </message>
    <message>
        <source>&quot;::=&quot; is missing after &quot;%1&quot;.</source>
        <translation>после «%1» не хватает «::=».</translation>
    </message>
    <message>
        <source>groups are nested more than %1 deep.</source>
        <translation>группы вложены глубже %1 уровней.</translation>
    </message>
    <message>
        <source>a &quot;(&quot; is not closed.</source>
        <translation>не закрыта скобка «(».</translation>
    </message>
    <message>
        <source>a text in quotes is not closed.</source>
        <translation>не закрыты кавычки.</translation>
    </message>
    <message>
        <source>a class of characters is not closed.</source>
        <translation>не закрыт класс символов.</translation>
    </message>
    <message>
        <source>a range in a class of characters runs backwards.</source>
        <translation>диапазон в классе символов идёт в обратную сторону.</translation>
    </message>
    <message>
        <source>an escape names no character.</source>
        <translation>такому коду не соответствует никакой символ.</translation>
    </message>
    <message>
        <source>an escape needs %1 hexadecimal digits.</source>
        <translation>в коде символа должно быть шестнадцатеричных цифр: %1.</translation>
    </message>
    <message>
        <source>there is no escape &quot;\%1&quot;.</source>
        <translation>обозначения «\%1» не существует.</translation>
    </message>
    <message>
        <source>a repetition is not closed with &quot;}&quot;.</source>
        <translation>повторение не закрыто скобкой «}».</translation>
    </message>
    <message>
        <source>a repetition needs a number between { and }.</source>
        <translation>между { и } должно стоять число.</translation>
    </message>
    <message>
        <source>a repetition has its larger number first.</source>
        <translation>в повторении сначала стоит большее число.</translation>
    </message>
    <message>
        <source>a part is repeated more than %1 times.</source>
        <translation>часть повторяется больше %1 раз.</translation>
    </message>
    <message>
        <source>tokens in angle brackets are not supported; write their text in quotes.</source>
        <translation>токены в угловых скобках не поддерживаются; запишите их текст в кавычках.</translation>
    </message>
    <message>
        <source>A schema must be an object, true or false.</source>
        <translation>Схема должна быть объектом либо true или false.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not supported.</source>
        <translation>«%1» не поддерживается.</translation>
    </message>
    <message>
        <source>The format &quot;%1&quot; is not supported.</source>
        <translation>Формат «%1» не поддерживается.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; must be a list of schemas.</source>
        <translation>«%1» должно быть списком схем.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; must be a list of names.</source>
        <translation>«%1» должно быть списком имён.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; must be a list of values.</source>
        <translation>«%1» должно быть списком значений.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; must be a text.</source>
        <translation>«%1» должно быть текстом.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; must be a number.</source>
        <translation>«%1» должно быть числом.</translation>
    </message>
    <message>
        <source>&quot;%1&quot; must be an object.</source>
        <translation>«%1» должно быть объектом.</translation>
    </message>
    <message>
        <source>The schema is nested more than %1 deep.</source>
        <translation>Схема вложена глубже %1 уровней.</translation>
    </message>
    <message>
        <source>The JSON schema is nested more than %1 deep.</source>
        <translation>Схема JSON вложена глубже %1 уровней.</translation>
    </message>
    <message>
        <source>The schema is too large.</source>
        <translation>Схема слишком велика.</translation>
    </message>
    <message>
        <source>The minimum of a number is above its maximum.</source>
        <translation>Наименьшее значение числа больше наибольшего.</translation>
    </message>
    <message>
        <source>The reply so far does not follow the grammar, so it cannot go on with it; let it be written anew.</source>
        <translation>Начало ответа не соответствует грамматике, поэтому продолжить его по ней нельзя; пусть он будет написан заново.</translation>
    </message>
    <message>
        <source>A reply can follow a grammar or a JSON schema, not both.</source>
        <translation>Ответ может следовать либо грамматике, либо схеме JSON, но не обеим сразу.</translation>
    </message>
    <message>
        <source>No token is left that may come next. %1</source>
        <translation>Не осталось ни одного токена, который мог бы идти дальше. %1</translation>
    </message>
    <message>
        <source>The logit bias bans all tokens.</source>
        <translation>Все токены запрещены.</translation>
    </message>
    <message>
        <source>The logit bias bans all tokens that the grammar allows here.</source>
        <translation>Все токены, которые грамматика здесь допускает, запрещены.</translation>
    </message>
    <message>
        <source>No token of the model goes on a text of the grammar here.</source>
        <translation>Ни один токен модели не продолжает здесь текст по грамматике.</translation>
    </message>
    <message>
        <source>The grammar can be read in too many ways at once; rules that say the same in several ways make it slow.</source>
        <translation>Грамматику можно прочесть слишком многими способами сразу; уберите правила, которые говорят одно и то же по-разному.</translation>
    </message>
    <message>
        <source>The grammar takes too much memory; a simpler one may help.</source>
        <translation>Грамматике нужно слишком много памяти; попробуйте грамматику проще.</translation>
    </message>
    <message>
        <source>The logit bias names the token %1, which the vocabulary does not have.</source>
        <translation>Среди изменений токенов назван токен %1, которого нет в словаре модели.</translation>
    </message>
</context>
<context>
    <name>FileDrop</name>
    <message>
        <source>Drop to add the model</source>
        <translation>Отпустите, чтобы добавить модель</translation>
    </message>
    <message>
        <source>The file stays where it is.</source>
        <translation>Файл останется на своём месте.</translation>
    </message>
</context>
<context>
    <name>FileTrash</name>
    <message>
        <source>The system has no trash for this disk.</source>
        <translation>У системы нет корзины для этого диска.</translation>
    </message>
    <message>
        <source>%1 could not be put back. It is still in the trash.</source>
        <translation>%1 не удалось вернуть. Файл всё ещё в корзине.</translation>
    </message>
    <message>
        <source>%1 could not be deleted: %2</source>
        <translation>%1 не удалось удалить: %2</translation>
    </message>
</context>
<context>
    <name>FitTag</name>
    <message>
        <source>fits</source>
        <translation>помещается</translation>
    </message>
    <message>
        <source>tight</source>
        <translation>впритык</translation>
    </message>
    <message>
        <source>will not fit</source>
        <translation>не помещается</translation>
    </message>
</context>
<context>
    <name>FolderList</name>
    <message>
        <source>Take %1 off the list</source>
        <translation>Убрать из списка: %1</translation>
    </message>
    <message>
        <source>Add folder</source>
        <translation>Добавить папку</translation>
    </message>
</context>
<context>
    <name>FootActions</name>
    <message>
        <source>Copied</source>
        <translation>Скопировано</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Скопировать</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>Изменить</translation>
    </message>
    <message>
        <source>Again</source>
        <translation>Ещё раз</translation>
    </message>
    <message>
        <source>Branch before</source>
        <translation>Предыдущая ветка</translation>
    </message>
    <message>
        <source>%1/%2</source>
        <translation>%1/%2</translation>
    </message>
    <message>
        <source>Branch %1 of %2</source>
        <translation>Ветка %1 из %2</translation>
    </message>
    <message>
        <source>Branch after</source>
        <translation>Следующая ветка</translation>
    </message>
    <message>
        <source>why?</source>
        <translation>почему?</translation>
    </message>
    <message>
        <source>Where the time went</source>
        <translation>На что ушло время</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>токены</translation>
    </message>
    <message>
        <source>How sure the model was</source>
        <translation>Насколько модель была уверена</translation>
    </message>
</context>
<context>
    <name>FootRow</name>
    <message>
        <source>The context is full. Nothing was dropped; the reply ends here.</source>
        <translation>Контекст заполнен. Ничего не отброшено, ответ заканчивается здесь.</translation>
    </message>
    <message>
        <source>Longer context: %1 tokens</source>
        <translation>Увеличить контекст: %1 токенов</translation>
    </message>
    <message>
        <source>New chat from here</source>
        <translation>Новый чат отсюда</translation>
    </message>
    <message>
        <source>Takes the last question and the settings into a new chat.</source>
        <translation>Последний вопрос и параметры перейдут в новый чат.</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Повторить</translation>
    </message>
    <message>
        <source>Continue</source>
        <translation>Продолжить</translation>
    </message>
    <message>
        <source>The reply goes on where it stopped.</source>
        <translation>Ответ продолжится с того места, где остановился.</translation>
    </message>
    <message>
        <source>Loads the model again with room for more; the reply goes on where it stopped.</source>
        <translation>Модель загрузится заново с большим запасом, и ответ продолжится с того места, где остановился.</translation>
    </message>
    <message>
        <source>Drop the oldest turns…</source>
        <translation>Отбросить старые реплики…</translation>
    </message>
    <message>
        <source>Shows what would be left out, before anything is.</source>
        <translation>Сначала покажет, что будет пропущено.</translation>
    </message>
    <message numerus="yes">
        <source>To go on, the %Ln oldest message(s) could be left out.</source>
        <translation>
            <numerusform>Чтобы продолжить, можно пропустить %Ln самое старое сообщение.</numerusform>
            <numerusform>Чтобы продолжить, можно пропустить %Ln самых старых сообщения.</numerusform>
            <numerusform>Чтобы продолжить, можно пропустить %Ln самых старых сообщений.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>FormSection</name>
    <message>
        <source>Form of replies</source>
        <translation>Вид ответов</translation>
    </message>
    <message>
        <source>Any text</source>
        <translation>Любой текст</translation>
    </message>
    <message>
        <source>A JSON object</source>
        <translation>Объект JSON</translation>
    </message>
    <message>
        <source>JSON by a schema</source>
        <translation>JSON по схеме</translation>
    </message>
    <message>
        <source>By a grammar (GBNF)</source>
        <translation>По грамматике (GBNF)</translation>
    </message>
    <message>
        <source>JSON schema</source>
        <translation>Схема JSON</translation>
    </message>
    <message>
        <source>Grammar</source>
        <translation>Грамматика</translation>
    </message>
    <message>
        <source>Replies of this chat will follow it.</source>
        <translation>Ответы в этом чате будут ей следовать.</translation>
    </message>
</context>
<context>
    <name>GaugeStrip</name>
    <message>
        <source>size unknown</source>
        <translation>объём неизвестен</translation>
    </message>
    <message>
        <source>Prediction for the chosen model: weights %1, KV cache %2, compute %3</source>
        <translation>Прогноз для выбранной модели: веса %1, KV-кэш %2, вычисления %3</translation>
    </message>
    <message>
        <source>Memory in detail</source>
        <translation>Память подробно</translation>
    </message>
</context>
<context>
    <name>GuessSection</name>
    <message>
        <source>Guess ahead</source>
        <translation>Предугадывание</translation>
    </message>
</context>
<context>
    <name>HistoryPlot</name>
    <message>
        <source>The last minute</source>
        <translation>Последняя минута</translation>
    </message>
    <message>
        <source>dashed: predicted, %1</source>
        <translation>пунктир — прогноз, %1</translation>
    </message>
    <message>
        <source>Memory of this program in the last minute: %1 now, %2 at most</source>
        <translation>Память этой программы за последнюю минуту: сейчас %1, самое большее %2</translation>
    </message>
    <message>
        <source>a minute ago</source>
        <translation>минуту назад</translation>
    </message>
    <message>
        <source>now %1</source>
        <translation>сейчас %1</translation>
    </message>
</context>
<context>
    <name>HubAddress</name>
    <message>
        <source>Steelyard runs GGUF files. The address must end in .gguf.</source>
        <translation>Steelyard работает с файлами GGUF. Адрес должен оканчиваться на .gguf.</translation>
    </message>
    <message>
        <source>This model is split into several files, which Steelyard cannot join yet. Choose one that is a single file.</source>
        <translation>Эта модель разбита на несколько файлов, собирать их Steelyard пока не умеет. Выберите модель из одного файла.</translation>
    </message>
    <message>
        <source>This is the page of a repository. Open the file you want there and copy its address.</source>
        <translation>Это страница репозитория. Откройте на ней нужный файл и скопируйте его адрес.</translation>
    </message>
    <message>
        <source>This names a repository, not a file. Add the file: owner/name/file.gguf</source>
        <translation>Это имя репозитория, а не файла. Добавьте файл: владелец/имя/файл.gguf</translation>
    </message>
    <message>
        <source>This is a file of this computer. Use “Add a file” for it.</source>
        <translation>Это файл на вашем компьютере. Для него есть «Добавить файл».</translation>
    </message>
    <message>
        <source>This is not an address of the web. It must begin with https://</source>
        <translation>Это не веб-адрес. Он должен начинаться с https://</translation>
    </message>
    <message>
        <source>The address holds a user name or password. Leave it out.</source>
        <translation>В адресе есть имя пользователя или пароль. Уберите их.</translation>
    </message>
    <message>
        <source>Paste the address of a GGUF file, or owner/name/file.gguf of the hub.</source>
        <translation>Вставьте адрес файла GGUF или владелец/имя/файл.gguf с хаба.</translation>
    </message>
    <message>
        <source>The address holds blanks or invisible characters. Copy it again.</source>
        <translation>В адресе есть пробелы или невидимые знаки. Скопируйте его ещё раз.</translation>
    </message>
</context>
<context>
    <name>Inspector</name>
    <message>
        <source>Model</source>
        <translation>Модель</translation>
    </message>
    <message>
        <source>System prompt</source>
        <translation>Системная подсказка</translation>
    </message>
    <message>
        <source>How the model should answer</source>
        <translation>Как модели отвечать</translation>
    </message>
    <message>
        <source>Sampling</source>
        <translation>Выбор токенов</translation>
    </message>
    <message>
        <source>Lengths in tokens</source>
        <translation>Длины в токенах</translation>
    </message>
    <message>
        <source>Reply limit</source>
        <translation>Предел ответа</translation>
    </message>
    <message>
        <source>none</source>
        <translation>нет</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>Контекст</translation>
    </message>
    <message>
        <source>automatic</source>
        <translation>автоматически</translation>
    </message>
    <message>
        <source>%1 tokens are loaded now; the new length counts from the next message on.</source>
        <translation>Сейчас загружено %1 токенов; новая длина подействует со следующего сообщения.</translation>
    </message>
    <message>
        <source>Form of replies</source>
        <translation>Вид ответов</translation>
    </message>
</context>
<context>
    <name>LabelledSlider</name>
    <message>
        <source>Reset %1</source>
        <translation>Сбросить: %1</translation>
    </message>
</context>
<context>
    <name>LedgerLine</name>
    <message>
        <source>%1: %2, %3</source>
        <translation>%1: %2, %3</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
</context>
<context>
    <name>LevelSheet</name>
    <message>
        <source>Make a level</source>
        <translation>Сделать уровень</translation>
    </message>
    <message>
        <source>From</source>
        <translation>Из</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>Источник</translation>
    </message>
    <message>
        <source>The file is being read.</source>
        <translation>Файл читается.</translation>
    </message>
    <message>
        <source>Levels</source>
        <translation>Уровни</translation>
    </message>
    <message>
        <source>You can close this; the making goes on.</source>
        <translation>Окно можно закрыть: работа продолжится.</translation>
    </message>
    <message>
        <source>The source stays as it is.</source>
        <translation>Источник не изменится.</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Отмена</translation>
    </message>
    <message numerus="yes">
        <source>Make %n level(s)</source>
        <translation>
            <numerusform>Сделать %n уровень</numerusform>
            <numerusform>Сделать %n уровня</numerusform>
            <numerusform>Сделать %n уровней</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>LibraryHeader</name>
    <message>
        <source>Library</source>
        <translation>Библиотека</translation>
    </message>
    <message numerus="yes">
        <source>%n model(s)</source>
        <translation>
            <numerusform>%n модель</numerusform>
            <numerusform>%n модели</numerusform>
            <numerusform>%n моделей</numerusform>
        </translation>
    </message>
    <message>
        <source>Add a file</source>
        <translation>Добавить файл</translation>
    </message>
    <message>
        <source>Use a .gguf file of this computer; it stays where it is</source>
        <translation>Взять файл .gguf с этого компьютера; он останется на своём месте</translation>
    </message>
    <message>
        <source>Add a folder</source>
        <translation>Добавить папку</translation>
    </message>
    <message>
        <source>Show all models of a folder; they stay where they are</source>
        <translation>Показать все модели из папки; они останутся на своём месте</translation>
    </message>
</context>
<context>
    <name>LibraryPage</name>
    <message>
        <source>%1 is off the list. Its file stays.</source>
        <translation>%1 больше нет в списке. Файл остался на месте.</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Вернуть</translation>
    </message>
    <message>
        <source>%1 is in the trash.</source>
        <translation>%1 в корзине.</translation>
    </message>
    <message>
        <source>%1 is ready.</source>
        <translation>Готово: %1.</translation>
    </message>
    <message>
        <source>Chat</source>
        <translation>Чат</translation>
    </message>
    <message>
        <source>No models yet</source>
        <translation>Моделей пока нет</translation>
    </message>
    <message>
        <source>A model is one file that ends in .gguf. Paste the address of one above, add one from this computer, or drop it here.</source>
        <translation>Модель — это один файл с окончанием .gguf. Вставьте выше его адрес, добавьте файл с этого компьютера или перетащите сюда.</translation>
    </message>
    <message>
        <source>Add a file</source>
        <translation>Добавить файл</translation>
    </message>
    <message>
        <source>Drop model files or folders here. They stay where they are.</source>
        <translation>Перетащите сюда файлы моделей или папки. Они останутся на своём месте.</translation>
    </message>
    <message>
        <source>There is no trash for this disk. %1 (%2) would be deleted for good and had to be downloaded again.</source>
        <translation>У этого диска нет корзины. %1 (%2) удалится навсегда, и скачивать придётся заново.</translation>
    </message>
    <message>
        <source>Delete the file?</source>
        <translation>Удалить файл?</translation>
    </message>
    <message>
        <source>Delete for good</source>
        <translation>Удалить навсегда</translation>
    </message>
    <message>
        <source>Add models</source>
        <translation>Добавление моделей</translation>
    </message>
    <message>
        <source>Models (*.gguf *.GGUF)</source>
        <translation>Модели (*.gguf *.GGUF)</translation>
    </message>
    <message>
        <source>Add a folder of models</source>
        <translation>Добавление папки с моделями</translation>
    </message>
</context>
<context>
    <name>LinkSheet</name>
    <message>
        <source>Open this address in the browser?</source>
        <translation>Открыть этот адрес в браузере?</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Отмена</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Скопировать</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Открыть</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>%1 – Steelyard</source>
        <translation>%1 – Steelyard</translation>
    </message>
    <message>
        <source>Steelyard</source>
        <translation>Steelyard</translation>
    </message>
</context>
<context>
    <name>MeasureCard</name>
    <message>
        <source>Measure on</source>
        <translation>Измерить на</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>Текст</translation>
    </message>
    <message>
        <source>Sample text</source>
        <translation>Пробный текст</translation>
    </message>
    <message>
        <source>Own text</source>
        <translation>Свой текст</translation>
    </message>
    <message>
        <source>A file</source>
        <translation>Файл</translation>
    </message>
    <message>
        <source>Past chats</source>
        <translation>Прошлые чаты</translation>
    </message>
    <message>
        <source>Choose a file</source>
        <translation>Выбрать файл</translation>
    </message>
    <message>
        <source>against</source>
        <translation>относительно</translation>
    </message>
    <message>
        <source>Reference</source>
        <translation>Эталон</translation>
    </message>
    <message>
        <source>in windows of</source>
        <translation>окнами по</translation>
    </message>
    <message>
        <source>Tokens of a window</source>
        <translation>Токенов в окне</translation>
    </message>
    <message>
        <source>speed too</source>
        <translation>и скорость</translation>
    </message>
    <message>
        <source>Paste a text of the kind that you work with: some pages of it</source>
        <translation>Вставьте текст вроде тех, с которыми работаете: несколько страниц</translation>
    </message>
    <message>
        <source>Measured</source>
        <translation>Измерено</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>Продолжить</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>Измерить</translation>
    </message>
    <message>
        <source>What was measured before is kept</source>
        <translation>Измеренное раньше сохранено</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Отмена</translation>
    </message>
    <message>
        <source>What is measured so far is kept</source>
        <translation>Уже измеренное сохранится</translation>
    </message>
    <message>
        <source>A text to measure on</source>
        <translation>Текст для измерения</translation>
    </message>
    <message>
        <source>Text (*.txt *.md *.csv *.json *.py *.cpp *.h *.html *.log)</source>
        <translation>Текст (*.txt *.md *.csv *.json *.py *.cpp *.h *.html *.log)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Все файлы (*)</translation>
    </message>
</context>
<context>
    <name>MemoryBars</name>
    <message>
        <source>Memory</source>
        <translation>Память</translation>
    </message>
    <message>
        <source>%1: weights %2, KV cache %3, compute buffers %4</source>
        <translation>%1: веса %2, кэш KV %3, буферы вычислений %4</translation>
    </message>
    <message>
        <source>weights %1</source>
        <translation>веса %1</translation>
    </message>
    <message>
        <source>The weights take %1.</source>
        <translation>Веса занимают %1.</translation>
    </message>
    <message>
        <source>KV cache %1</source>
        <translation>кэш KV %1</translation>
    </message>
    <message>
        <source>The KV cache takes %1 at the full context.</source>
        <translation>Кэш KV при полном контексте занимает %1.</translation>
    </message>
    <message>
        <source>compute %1</source>
        <translation>вычисления %1</translation>
    </message>
    <message>
        <source>Buffers for the computation take %1.</source>
        <translation>Буферы вычислений занимают %1.</translation>
    </message>
</context>
<context>
    <name>MemoryPanel</name>
    <message>
        <source>Memory</source>
        <translation>Память</translation>
    </message>
    <message>
        <source>The loaded model</source>
        <translation>Загруженная модель</translation>
    </message>
    <message>
        <source>The chosen model</source>
        <translation>Выбранная модель</translation>
    </message>
    <message>
        <source>What helps</source>
        <translation>Что поможет</translation>
    </message>
</context>
<context>
    <name>MessageRepository</name>
    <message>
        <source>The message before this one is not in this chat any more.</source>
        <translation>Предыдущего сообщения в этом чате больше нет.</translation>
    </message>
    <message>
        <source>This message no longer exists.</source>
        <translation>Этого сообщения больше нет.</translation>
    </message>
</context>
<context>
    <name>Migrations</name>
    <message>
        <source>The copy that is made before an update could not be named %1.</source>
        <translation>Копию перед обновлением не удалось назвать %1.</translation>
    </message>
    <message>
        <source>The chats were saved by a newer Steelyard (version %1 of the file, this program knows %2). Install the newer program to open them.</source>
        <translation>Чаты сохранил более новый Steelyard (версия файла %1, этой программе известна %2). Установите новую программу, чтобы их открыть.</translation>
    </message>
    <message>
        <source>The chats could not be copied before the update of their file, so nothing was changed. %1</source>
        <translation>Перед обновлением файла чаты не удалось скопировать, поэтому ничего не изменено. %1</translation>
    </message>
    <message>
        <source>The file of the chats could not be updated (%1), so it was left as it is. %2</source>
        <translation>Файл с чатами не удалось обновить (%1), он оставлен как есть. %2</translation>
    </message>
</context>
<context>
    <name>ModelChooser</name>
    <message>
        <source>Choose a model</source>
        <translation>Выбрать модель</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>Модели</translation>
    </message>
    <message>
        <source>There is no model on this computer yet. The library gets one.</source>
        <translation>На этом компьютере ещё нет моделей. Их добавляют в библиотеке.</translation>
    </message>
    <message>
        <source>Cancel loading</source>
        <translation>Отменить загрузку</translation>
    </message>
    <message>
        <source>Unload</source>
        <translation>Выгрузить</translation>
    </message>
    <message>
        <source>Open the library</source>
        <translation>Открыть библиотеку</translation>
    </message>
</context>
<context>
    <name>ModelFacts</name>
    <message>
        <source>%1 parameters</source>
        <translation>параметров: %1</translation>
    </message>
    <message>
        <source>%1 bits per weight</source>
        <translation>%1 бит на вес</translation>
    </message>
    <message>
        <source>context %1</source>
        <translation>контекст %1</translation>
    </message>
    <message>
        <source>base model, continues text</source>
        <translation>базовая модель, продолжает текст</translation>
    </message>
    <message>
        <source>reading</source>
        <translation>читается</translation>
    </message>
</context>
<context>
    <name>ModelMenu</name>
    <message>
        <source>Show in folder</source>
        <translation>Показать в папке</translation>
    </message>
    <message>
        <source>Copy path</source>
        <translation>Скопировать путь</translation>
    </message>
    <message>
        <source>Remove from the list</source>
        <translation>Убрать из списка</translation>
    </message>
    <message>
        <source>Move to trash</source>
        <translation>Переместить в корзину</translation>
    </message>
</context>
<context>
    <name>ModelPicker</name>
    <message>
        <source>Choose columns</source>
        <translation>Выбрать колонки</translation>
    </message>
    <message>
        <source>Two to four: quantizations of one model, or models. Cache, context and guessing ahead are set in a column&apos;s own menu.</source>
        <translation>От двух до четырёх: квантования одной модели или разные модели. Кэш, контекст и угадывание задаются в меню колонки.</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>Модели</translation>
    </message>
    <message>
        <source>There is no model on this computer yet. The library gets one.</source>
        <translation>На этом компьютере пока нет модели. Её добавит библиотека.</translation>
    </message>
    <message>
        <source>Open the library</source>
        <translation>Открыть библиотеку</translation>
    </message>
    <message>
        <source>%1 of %2 chosen</source>
        <translation>Выбрано %1 из %2</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Сравнить</translation>
    </message>
</context>
<context>
    <name>ModelRow</name>
    <message>
        <source>base model: continues text</source>
        <translation>базовая модель: продолжает текст</translation>
    </message>
    <message>
        <source>small test model</source>
        <translation>маленькая пробная модель</translation>
    </message>
    <message>
        <source>Quantization: how the weights are stored</source>
        <translation>Квантизация: в каком виде хранятся веса</translation>
    </message>
    <message>
        <source>Chat</source>
        <translation>Чат</translation>
    </message>
    <message>
        <source>Open a new chat with this model</source>
        <translation>Открыть новый чат с этой моделью</translation>
    </message>
    <message>
        <source>More for %1</source>
        <translation>Действия: %1</translation>
    </message>
    <message>
        <source>Small test model, mainly English, often wrong.</source>
        <translation>Маленькая пробная модель: в основном английский, часто ошибается.</translation>
    </message>
    <message>
        <source>Get a better one</source>
        <translation>Найти получше</translation>
    </message>
</context>
<context>
    <name>ModelSection</name>
    <message>
        <source>Choose a model</source>
        <translation>Выбрать модель</translation>
    </message>
    <message>
        <source>Choose the model (Ctrl+L)</source>
        <translation>Выбрать модель (Ctrl+L)</translation>
    </message>
    <message>
        <source>Not loaded. It loads when you type.</source>
        <translation>Не загружена. Загрузится, когда вы начнёте писать.</translation>
    </message>
    <message>
        <source>Loading: %1 %</source>
        <translation>Загрузка: %1 %</translation>
    </message>
    <message>
        <source>Could not be loaded</source>
        <translation>Не удалось загрузить</translation>
    </message>
    <message>
        <source>Loading</source>
        <translation>Загрузка</translation>
    </message>
    <message>
        <source>Cancel loading</source>
        <translation>Отменить загрузку</translation>
    </message>
    <message>
        <source>Unload</source>
        <translation>Выгрузить</translation>
    </message>
    <message>
        <source>Gives the memory of the model back</source>
        <translation>Освобождает память, занятую моделью</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>Повторить</translation>
    </message>
    <message>
        <source>Load now</source>
        <translation>Загрузить сейчас</translation>
    </message>
</context>
<context>
    <name>Pages</name>
    <message>
        <source>Settings</source>
        <translation>Настройки</translation>
    </message>
    <message>
        <source>Chat</source>
        <translation>Чат</translation>
    </message>
    <message>
        <source>Library</source>
        <translation>Библиотека</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Сравнение</translation>
    </message>
</context>
<context>
    <name>PartFile</name>
    <message>
        <source>The disk is full. Free some space, then continue; what is there is kept.</source>
        <translation>На диске нет места. Освободите его и продолжите; скачанное сохранено.</translation>
    </message>
    <message>
        <source>The file cannot be written: %1. Check the folder of the models.</source>
        <translation>Не удаётся записать файл: %1. Проверьте папку с моделями.</translation>
    </message>
    <message>
        <source>The folder %1 cannot be made.</source>
        <translation>Не удаётся создать папку %1.</translation>
    </message>
    <message>
        <source>The disk is full or its folder cannot be written, so the download cannot be kept.</source>
        <translation>На диске нет места или в папку нельзя писать, поэтому скачанное некуда сохранить.</translation>
    </message>
    <message>
        <source>A file named %1 has appeared meanwhile. Remove or rename it, then continue.</source>
        <translation>Тем временем появился файл с именем %1. Уберите или переименуйте его и продолжите.</translation>
    </message>
    <message>
        <source>The finished file could not be named %1.</source>
        <translation>Готовый файл не удалось назвать %1.</translation>
    </message>
</context>
<context>
    <name>PickerRow</name>
    <message>
        <source>%1 bits per weight</source>
        <translation>%1 бит на вес</translation>
    </message>
    <message>
        <source>Make another level of %1</source>
        <translation>Сделать другой уровень: %1</translation>
    </message>
</context>
<context>
    <name>PictureWords</name>
    <message>
        <source>Comparison</source>
        <translation>Сравнение</translation>
    </message>
    <message>
        <source>size of the file</source>
        <translation>размер файла</translation>
    </message>
    <message>
        <source>small below this</source>
        <translation>ниже — мало</translation>
    </message>
    <message>
        <source>distance from the reference, nats</source>
        <translation>расхождение с эталоном, нат</translation>
    </message>
    <message>
        <source>writing, tokens per second</source>
        <translation>письмо, токенов в секунду</translation>
    </message>
    <message>
        <source>Memory: weights, KV cache, compute buffers</source>
        <translation>Память: веса, кэш KV, буферы вычислений</translation>
    </message>
    <message>
        <source>%1 cannot be written: %2.</source>
        <translation>Записать %1 нельзя: %2.</translation>
    </message>
</context>
<context>
    <name>Rail</name>
    <message>
        <source>Places</source>
        <translation>Разделы</translation>
    </message>
    <message>
        <source>%1 (Ctrl+%2)</source>
        <translation>%1 (Ctrl+%2)</translation>
    </message>
</context>
<context>
    <name>RemedyButton</name>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>The prediction for it: %1</source>
        <translation>Прогноз для этого: %1</translation>
    </message>
</context>
<context>
    <name>RenameSheet</name>
    <message>
        <source>Title</source>
        <translation>Название</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Отмена</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>Переименовать</translation>
    </message>
</context>
<context>
    <name>ReplyFiguresText</name>
    <message numerus="yes">
        <source>%Ln token(s)</source>
        <translation>
            <numerusform>%Ln токен</numerusform>
            <numerusform>%Ln токена</numerusform>
            <numerusform>%Ln токенов</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 tok/s</source>
        <translation>%1 ток/с</translation>
    </message>
    <message>
        <source>first token %1</source>
        <translation>первый токен %1</translation>
    </message>
    <message>
        <source>cut off when the program ended</source>
        <translation>прервано закрытием программы</translation>
    </message>
    <message>
        <source>ended at a stop text</source>
        <translation>встретился стоп-текст</translation>
    </message>
    <message>
        <source>reached the reply limit</source>
        <translation>достигнут предел ответа</translation>
    </message>
    <message>
        <source>context is full</source>
        <translation>контекст заполнен</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>остановлено</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>ошибка</translation>
    </message>
    <message numerus="yes">
        <source>without the %Ln oldest message(s)</source>
        <translation>
            <numerusform>без %Ln старого сообщения</numerusform>
            <numerusform>без %Ln старых сообщений</numerusform>
            <numerusform>без %Ln старых сообщений</numerusform>
        </translation>
    </message>
    <message>
        <source>Waiting for another reply to end</source>
        <translation>Ждём окончания другого ответа</translation>
    </message>
    <message>
        <source>Loading the model: %1 %</source>
        <translation>Загрузка модели: %1 %</translation>
    </message>
    <message numerus="yes">
        <source>Waiting for its turn (%Ln before it)</source>
        <translation>
            <numerusform>Ждёт своей очереди (впереди %Ln)</numerusform>
            <numerusform>Ждёт своей очереди (впереди %Ln)</numerusform>
            <numerusform>Ждёт своей очереди (впереди %Ln)</numerusform>
        </translation>
    </message>
    <message>
        <source>Waiting for its turn</source>
        <translation>Ждёт своей очереди</translation>
    </message>
    <message>
        <source>Reading the prompt</source>
        <translation>Чтение запроса</translation>
    </message>
    <message>
        <source>Reading the prompt: %1 of %2 tokens</source>
        <translation>Чтение запроса: %1 из %2 токенов</translation>
    </message>
    <message>
        <source>approximate</source>
        <translation>приблизительно</translation>
    </message>
</context>
<context>
    <name>ReplySheet</name>
    <message>
        <source>Until the first word</source>
        <translation>До первого слова</translation>
    </message>
    <message>
        <source>Streaming</source>
        <translation>Вывод</translation>
    </message>
    <message>
        <source>Guessing ahead</source>
        <translation>Предугадывание</translation>
    </message>
    <message>
        <source>Slow to start and slow to stream</source>
        <translation>Медленно начал и медленно писал</translation>
    </message>
    <message>
        <source>Slow to start</source>
        <translation>Медленно начал</translation>
    </message>
    <message>
        <source>Slow to stream</source>
        <translation>Медленно писал</translation>
    </message>
    <message>
        <source>Started like any program, streamed at ease</source>
        <translation>Начал мгновенно, писал без задержек</translation>
    </message>
    <message>
        <source>Started at once, streamed at ease</source>
        <translation>Начал сразу, писал без задержек</translation>
    </message>
    <message>
        <source>Let one reply finish before the next, or stop those that are not needed.</source>
        <translation>Дождитесь конца одного ответа, прежде чем просить другой, или остановите ненужные.</translation>
    </message>
    <message>
        <source>A shorter prompt helps.</source>
        <translation>Поможет запрос короче.</translation>
    </message>
    <message>
        <source>Going on in the same chat reads only what is new.</source>
        <translation>В том же чате читается только новое.</translation>
    </message>
    <message>
        <source>A shorter prompt, a smaller model or a faster device helps.</source>
        <translation>Помогут запрос короче, модель меньше или устройство быстрее.</translation>
    </message>
    <message>
        <source>A smaller model or a faster device helps.</source>
        <translation>Помогут модель меньше или устройство быстрее.</translation>
    </message>
    <message>
        <source>Each token waits for the weights to be read: a smaller model, a smaller quantization or a faster device helps.</source>
        <translation>Каждый токен ждёт чтения весов: помогут модель меньше, квантизация сильнее или устройство быстрее.</translation>
    </message>
    <message>
        <source>Queue</source>
        <translation>Очередь</translation>
    </message>
    <message>
        <source>waited for other work</source>
        <translation>ожидание другой работы</translation>
    </message>
    <message>
        <source>Tokenize</source>
        <translation>Разбор на токены</translation>
    </message>
    <message numerus="yes">
        <source>%Ln prompt token(s)</source>
        <translation>
            <numerusform>%Ln токен запроса</numerusform>
            <numerusform>%Ln токена запроса</numerusform>
            <numerusform>%Ln токенов запроса</numerusform>
        </translation>
    </message>
    <message>
        <source>Look up in the cache</source>
        <translation>Поиск в кэше</translation>
    </message>
    <message numerus="yes">
        <source>%Ln token(s) read</source>
        <translation>
            <numerusform>прочитан %Ln токен</numerusform>
            <numerusform>прочитано %Ln токена</numerusform>
            <numerusform>прочитано %Ln токенов</numerusform>
        </translation>
    </message>
    <message>
        <source>Prefill</source>
        <translation>Чтение запроса</translation>
    </message>
    <message>
        <source>%1 tok/s</source>
        <translation>%1 ток/с</translation>
    </message>
    <message>
        <source>First token</source>
        <translation>Первый токен</translation>
    </message>
    <message>
        <source>from Send to the first visible character</source>
        <translation>от отправки до первого видимого знака</translation>
    </message>
    <message>
        <source>Reused</source>
        <translation>Взято из кэша</translation>
    </message>
    <message numerus="yes">
        <source>%Ln token(s)</source>
        <translation>
            <numerusform>%Ln токен</numerusform>
            <numerusform>%Ln токена</numerusform>
            <numerusform>%Ln токенов</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 % of the prompt</source>
        <translation>%1 % запроса</translation>
    </message>
    <message>
        <source>Only what is new.</source>
        <translation>Только новое.</translation>
    </message>
    <message>
        <source>Read</source>
        <translation>Прочитано</translation>
    </message>
    <message>
        <source>Why not reused</source>
        <translation>Почему не из кэша</translation>
    </message>
    <message>
        <source>Left out</source>
        <translation>Пропущено</translation>
    </message>
    <message numerus="yes">
        <source>%Ln message(s)</source>
        <translation>
            <numerusform>%Ln сообщение</numerusform>
            <numerusform>%Ln сообщения</numerusform>
            <numerusform>%Ln сообщений</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln token(s); the context was full, so the oldest turns were left out.</source>
        <translation>
            <numerusform>%Ln токен; контекст был полон, поэтому самые старые реплики пропущены.</numerusform>
            <numerusform>%Ln токена; контекст был полон, поэтому самые старые реплики пропущены.</numerusform>
            <numerusform>%Ln токенов; контекст был полон, поэтому самые старые реплики пропущены.</numerusform>
        </translation>
    </message>
    <message>
        <source>Between tokens, median</source>
        <translation>Между токенами, медиана</translation>
    </message>
    <message>
        <source>Between tokens, 95 %</source>
        <translation>Между токенами, 95 %</translation>
    </message>
    <message>
        <source>one in twenty waits longer</source>
        <translation>дольше ждёт один из двадцати</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>Скорость</translation>
    </message>
    <message>
        <source>Guesses</source>
        <translation>Догадки</translation>
    </message>
    <message>
        <source>not used</source>
        <translation>не используются</translation>
    </message>
    <message>
        <source>off</source>
        <translation>выкл.</translation>
    </message>
    <message>
        <source>It does not pay here: nothing came up that was worth guessing.</source>
        <translation>Здесь это не окупается: не нашлось ничего, что стоило бы угадывать.</translation>
    </message>
    <message>
        <source>Accepted</source>
        <translation>Принято</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>%1 of %2 guessed tokens were right</source>
        <translation>верны %1 из %2 угаданных токенов</translation>
    </message>
    <message>
        <source>Tokens per step</source>
        <translation>Токенов за шаг</translation>
    </message>
    <message>
        <source>1 without guesses; the text is the same</source>
        <translation>без догадок 1; текст тот же самый</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 из %2</translation>
    </message>
    <message>
        <source>By looking up</source>
        <translation>По повторам в тексте</translation>
    </message>
    <message>
        <source>what followed the same words before</source>
        <translation>что раньше шло за теми же словами</translation>
    </message>
    <message>
        <source>%1 spent on it</source>
        <translation>на это ушло %1</translation>
    </message>
    <message>
        <source>Ended early</source>
        <translation>Прервано</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Начальное число</translation>
    </message>
    <message>
        <source>Cache</source>
        <translation>Кэш</translation>
    </message>
    <message>
        <source>Sampling</source>
        <translation>Выбор токенов</translation>
    </message>
    <message>
        <source>Waiting for other replies took longest: %1 % of the %2 until the first word.</source>
        <translation>Дольше всего ждали другие ответы: %1 % из %2 до первого слова.</translation>
    </message>
    <message>
        <source>Cutting the prompt into tokens took longest: %1 % of the %2 until the first word.</source>
        <translation>Дольше всего запрос разбирался на токены: %1 % из %2 до первого слова.</translation>
    </message>
    <message>
        <source>Looking up what the cache holds took longest: %1 % of the %2 until the first word.</source>
        <translation>Дольше всего длился поиск в кэше: %1 % из %2 до первого слова.</translation>
    </message>
    <message>
        <source>Reading the prompt took longest: %1 % of the %2 until the first word.</source>
        <translation>Дольше всего читался запрос: %1 % из %2 до первого слова.</translation>
    </message>
    <message>
        <source>The first tokens took longest: %1 % of the %2 until the first word. They show nothing yet.</source>
        <translation>Дольше всего рождались первые токены: %1 % из %2 до первого слова. Сами они ещё ничего не показывают.</translation>
    </message>
    <message>
        <source>Drafted</source>
        <translation>Черновиком</translation>
    </message>
    <message>
        <source>Handing the prompt over from the device that read it took longest: %1 % of the %2 until the first word.</source>
        <translation>Дольше всего запрос передавался с устройства, которое его прочло: %1 % из %2 до первого слова.</translation>
    </message>
    <message>
        <source>Without a device of its own for prompts nothing is handed over.</source>
        <translation>Без отдельного устройства для чтения запросов передавать ничего не нужно.</translation>
    </message>
    <message>
        <source>Handed over</source>
        <translation>Передано</translation>
    </message>
    <message numerus="yes">
        <source>%Ln token(s) read by another device</source>
        <translation>
            <numerusform>%Ln токен прочло другое устройство</numerusform>
            <numerusform>%Ln токена прочло другое устройство</numerusform>
            <numerusform>%Ln токенов прочло другое устройство</numerusform>
        </translation>
    </message>
    <message>
        <source>Moved up</source>
        <translation>Сдвинуто</translation>
    </message>
    <message>
        <source>Of these from disk</source>
        <translation>Из них с диска</translation>
    </message>
    <message>
        <source>kept since the chat was last used</source>
        <translation>сохранено с прошлого раза</translation>
    </message>
    <message>
        <source>Of these from memory</source>
        <translation>Из них из памяти</translation>
    </message>
    <message>
        <source>had made room for other chats and came back</source>
        <translation>уступало место другим чатам и вернулось</translation>
    </message>
    <message>
        <source>Moved aside</source>
        <translation>Отодвинуто</translation>
    </message>
    <message>
        <source>made room for other replies while this one ran, and came back</source>
        <translation>уступало место другим ответам, пока писался этот, и вернулось</translation>
    </message>
    <message>
        <source>Share of the device</source>
        <translation>Доля возможностей устройства</translation>
    </message>
    <message>
        <source>Arithmetic in prefill</source>
        <translation>Вычисления при чтении</translation>
    </message>
    <message>
        <source>of what the device multiplies at best; short prompts reach less</source>
        <translation>от наибольшей скорости, с которой устройство умножает; на коротких запросах меньше</translation>
    </message>
    <message>
        <source>Bandwidth in decode</source>
        <translation>Память при письме</translation>
    </message>
    <message>
        <source>of what the device reads from its memory at best</source>
        <translation>от наибольшей скорости, с которой устройство читает память</translation>
    </message>
    <message>
        <source>The context was full: these left it, and what followed was not read again. From there on the reply is approximate.</source>
        <translation>Контекст был полон: они ушли из него, а то, что шло дальше, не перечитано. С этого места ответ приблизительный.</translation>
    </message>
</context>
<context>
    <name>ReportPlots</name>
    <message>
        <source>size of the file</source>
        <translation>размер файла</translation>
    </message>
    <message>
        <source>Quality against size: lower is closer to the reference</source>
        <translation>Качество и размер: чем ниже, тем ближе к эталону</translation>
    </message>
    <message>
        <source>distance, nats</source>
        <translation>расхождение, нат</translation>
    </message>
    <message>
        <source>small below this</source>
        <translation>ниже — мало</translation>
    </message>
    <message>
        <source>Speed against size: higher is faster</source>
        <translation>Скорость и размер: чем выше, тем быстрее</translation>
    </message>
    <message>
        <source>writing, tokens per second</source>
        <translation>письмо, токенов в секунду</translation>
    </message>
</context>
<context>
    <name>ReportTable</name>
    <message>
        <source>Figures</source>
        <translation>Показатели</translation>
    </message>
</context>
<context>
    <name>ReportTables</name>
    <message>
        <source>%1 times</source>
        <translation>%1 раза</translation>
    </message>
    <message>
        <source>%1 tok/s</source>
        <translation>%1 ток/с</translation>
    </message>
    <message>
        <source>reference</source>
        <translation>эталон</translation>
    </message>
    <message>
        <source>Quality</source>
        <translation>Качество</translation>
    </message>
    <message>
        <source>Distance</source>
        <translation>Расхождение</translation>
    </message>
    <message>
        <source>Mean KL divergence from the reference in nats: how far the probabilities of the next word moved. 0 = none; below 0.1 is small.</source>
        <translation>Среднее расхождение Кульбака — Лейблера с эталоном в натах: насколько сдвинулись вероятности следующего слова. 0 — нисколько; ниже 0,1 — мало.</translation>
    </message>
    <message>
        <source>Distance, median</source>
        <translation>Расхождение, медиана</translation>
    </message>
    <message>
        <source>Half of the words moved less than this.</source>
        <translation>Половина слов сдвинулась меньше.</translation>
    </message>
    <message>
        <source>Distance, 99 %</source>
        <translation>Расхождение, 99 %</translation>
    </message>
    <message>
        <source>99 of 100 words moved less than this.</source>
        <translation>99 слов из 100 сдвинулись меньше.</translation>
    </message>
    <message>
        <source>Same first choice</source>
        <translation>Тот же первый выбор</translation>
    </message>
    <message>
        <source>How often both think the same word the most probable.</source>
        <translation>Как часто оба считают самым вероятным одно и то же слово.</translation>
    </message>
    <message>
        <source>Perplexity</source>
        <translation>Перплексия</translation>
    </message>
    <message>
        <source>How surprised the level is by the text; lower is better.</source>
        <translation>Насколько текст неожидан для уровня; чем меньше, тем лучше.</translation>
    </message>
    <message>
        <source>Loss</source>
        <translation>Потеря</translation>
    </message>
    <message>
        <source>How much higher the perplexity is than the reference&apos;s. Published are: 8 bit below 0.5 %, 4 bit from 1 to 3 %.</source>
        <translation>Насколько перплексия выше, чем у эталона. По публикациям: 8 бит — меньше 0,5 %, 4 бита — от 1 до 3 %.</translation>
    </message>
    <message>
        <source>published: up to %1</source>
        <translation>по публикациям до %1</translation>
    </message>
    <message>
        <source>Distance, same answer</source>
        <translation>Расхождение, один ответ</translation>
    </message>
    <message>
        <source>Mean KL divergence over one answer that was forced through all columns.</source>
        <translation>Среднее расхождение на одном ответе, который прочли все колонки.</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>Скорость</translation>
    </message>
    <message>
        <source>Writing</source>
        <translation>Письмо</translation>
    </message>
    <message>
        <source>Tokens per second while it answers: bound by memory.</source>
        <translation>Токенов в секунду при ответе: упирается в память.</translation>
    </message>
    <message>
        <source>Reading</source>
        <translation>Чтение</translation>
    </message>
    <message>
        <source>Tokens per second while it reads a prompt: bound by arithmetic.</source>
        <translation>Токенов в секунду при чтении запроса: упирается в вычисления.</translation>
    </message>
    <message>
        <source>First token</source>
        <translation>Первый токен</translation>
    </message>
    <message>
        <source>From sending to the first visible character, of an answer.</source>
        <translation>От отправки до первого видимого знака ответа.</translation>
    </message>
    <message>
        <source>Between tokens</source>
        <translation>Между токенами</translation>
    </message>
    <message>
        <source>The median, and what 95 of 100 stay below.</source>
        <translation>Медиана и то, ниже чего остаются 95 из 100.</translation>
    </message>
    <message>
        <source>Loading</source>
        <translation>Загрузка</translation>
    </message>
    <message>
        <source>From the file into memory.</source>
        <translation>Из файла в память.</translation>
    </message>
    <message>
        <source>Guesses</source>
        <translation>Угадывание</translation>
    </message>
    <message>
        <source>Of the tokens guessed ahead, those that were right.</source>
        <translation>Из угаданных наперёд токенов — верные.</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Размер</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Файл</translation>
    </message>
    <message>
        <source>On the disk.</source>
        <translation>На диске.</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Память</translation>
    </message>
    <message>
        <source>Weights, KV cache and compute buffers.</source>
        <translation>Веса, кэш KV и буферы вычислений.</translation>
    </message>
    <message>
        <source>Bits per weight</source>
        <translation>Бит на вес</translation>
    </message>
    <message>
        <source>Of all weights on average.</source>
        <translation>В среднем по всем весам.</translation>
    </message>
    <message>
        <source>KV cache</source>
        <translation>Кэш KV</translation>
    </message>
    <message>
        <source>What it is kept as, and what a token of context takes.</source>
        <translation>В чём хранится и сколько занимает токен контекста.</translation>
    </message>
    <message>
        <source>%1, %2 a token</source>
        <translation>%1, %2 на токен</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>Неудачи</translation>
    </message>
    <message>
        <source>Why not</source>
        <translation>Почему</translation>
    </message>
    <message>
        <source>a text of your own</source>
        <translation>вашем тексте</translation>
    </message>
    <message>
        <source>“%1”</source>
        <translation>«%1»</translation>
    </message>
    <message>
        <source>Against %1, on %2: %3 in %4 of %5 tokens.</source>
        <translation>Относительно %1, текст: %2; %3, %4 по %5 токенов.</translation>
    </message>
    <message numerus="yes">
        <source>%Ln token(s)</source>
        <translation>
            <numerusform>%Ln токен</numerusform>
            <numerusform>%Ln токена</numerusform>
            <numerusform>%Ln токенов</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln window(s)</source>
        <translation>
            <numerusform>%Ln окно</numerusform>
            <numerusform>%Ln окна</numerusform>
            <numerusform>%Ln окон</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ReportView</name>
    <message>
        <source>Write the report</source>
        <translation>Записать отчёт</translation>
    </message>
    <message>
        <source>Markdown (*.md)</source>
        <translation>Markdown (*.md)</translation>
    </message>
    <message>
        <source>Table (*.csv)</source>
        <translation>Таблица (*.csv)</translation>
    </message>
    <message>
        <source>All figures (*.json)</source>
        <translation>Все показатели (*.json)</translation>
    </message>
    <message>
        <source>Picture (*.png)</source>
        <translation>Картинка (*.png)</translation>
    </message>
    <message>
        <source>Vector picture (*.svg)</source>
        <translation>Векторная картинка (*.svg)</translation>
    </message>
</context>
<context>
    <name>ReuseReasons</name>
    <message>
        <source>Nothing that begins alike had been read before.</source>
        <translation>Ничего с таким же началом раньше не читалось.</translation>
    </message>
    <message>
        <source>An earlier message differs from what was read before; from there on all is read again.</source>
        <translation>Одно из прежних сообщений теперь другое; всё после него читается заново.</translation>
    </message>
    <message>
        <source>Changes near the end of a chat cost less than changes near its beginning.</source>
        <translation>Правки ближе к концу чата обходятся дешевле, чем в начале.</translation>
    </message>
    <message>
        <source>The model&apos;s chat format leaves the reasoning of earlier replies out, so what followed it is read again.</source>
        <translation>Формат чата этой модели убирает рассуждения прежних ответов, поэтому всё после них читается заново.</translation>
    </message>
    <message>
        <source>It costs a part of the last reply at each turn and belongs to this model; one that does not reason has no such cost.</source>
        <translation>Каждый раз заново читается часть последнего ответа; таково свойство модели, у модели без рассуждений этого нет.</translation>
    </message>
    <message>
        <source>The system prompt holds the date or the time, which has changed; everything behind it is read again.</source>
        <translation>В системной подсказке стоят дата или время, и они изменились; всё после них читается заново.</translation>
    </message>
    <message>
        <source>A system prompt without a date keeps a chat ready for days.</source>
        <translation>Без даты в системной подсказке чат остаётся готовым днями.</translation>
    </message>
    <message>
        <source>This model sees only the last part of the text in some layers, and the place to go on from had left that part.</source>
        <translation>Часть слоёв этой модели видит только конец текста, и место, с которого нужно продолжить, из него уже ушло.</translation>
    </message>
    <message>
        <source>Going on at the end of the chat reads only what is new; going back to an earlier message does not.</source>
        <translation>Продолжение в конце чата читает только новое; возврат к прежнему сообщению читает больше.</translation>
    </message>
    <message>
        <source>The model was loaded after the chat&apos;s last turn, and its cache was empty.</source>
        <translation>Модель загружена после последней реплики чата, и её кэш был пуст.</translation>
    </message>
    <message>
        <source>While a model stays loaded, its chats go on from where they were.</source>
        <translation>Пока модель загружена, её чаты продолжаются с того же места.</translation>
    </message>
    <message>
        <source>Other chats needed the room, so what was kept of this one was let go.</source>
        <translation>Место понадобилось другим чатам, и сохранённое от этого чата отпущено.</translation>
    </message>
    <message>
        <source>A longer context on load keeps more chats ready at once.</source>
        <translation>Чем длиннее контекст при загрузке, тем больше чатов остаются готовыми.</translation>
    </message>
    <message>
        <source>This model has recurrent layers, which can go on only from places that were remembered; it was read from the last of them.</source>
        <translation>У модели есть рекуррентные слои: продолжать можно только с запомненных мест, и чтение началось с последнего из них.</translation>
    </message>
    <message>
        <source>Going on at the end of the chat reads least.</source>
        <translation>Меньше всего читает продолжение в конце чата.</translation>
    </message>
    <message>
        <source>From this length on the model counts positions in another way, so everything was read once more.</source>
        <translation>С этой длины модель иначе считает позиции, поэтому всё прочитано ещё раз.</translation>
    </message>
    <message>
        <source>It happens once in a chat.</source>
        <translation>В чате такое случается один раз.</translation>
    </message>
</context>
<context>
    <name>RoundRow</name>
    <message>
        <source>Prompt: %1</source>
        <translation>Запрос: %1</translation>
    </message>
</context>
<context>
    <name>RunsSheet</name>
    <message>
        <source>Earlier comparisons</source>
        <translation>Прежние сравнения</translation>
    </message>
    <message>
        <source>report</source>
        <translation>отчёт</translation>
    </message>
    <message>
        <source>Rename %1</source>
        <translation>Переименовать: %1</translation>
    </message>
    <message>
        <source>Delete %1</source>
        <translation>Удалить: %1</translation>
    </message>
    <message>
        <source>Nothing was compared yet. What you run is kept here.</source>
        <translation>Сравнений пока не было. То, что вы запустите, хранится здесь.</translation>
    </message>
</context>
<context>
    <name>SafeName</name>
    <message>
        <source>The address names no file that could be stored.</source>
        <translation>В адресе нет имени файла, который можно сохранить.</translation>
    </message>
</context>
<context>
    <name>SameTextPage</name>
    <message>
        <source>The answer of</source>
        <translation>Ответ</translation>
    </message>
    <message>
        <source>through all, measured against</source>
        <translation>через все колонки, относительно</translation>
    </message>
    <message>
        <source>Reference</source>
        <translation>Эталон</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Остановить</translation>
    </message>
    <message>
        <source>Read it</source>
        <translation>Прочесть</translation>
    </message>
    <message>
        <source>Gives every column the same words and sees how probable it finds each</source>
        <translation>Даёт каждой колонке одни и те же слова и смотрит, насколько вероятным она считает каждое</translation>
    </message>
    <message>
        <source>What the tint says</source>
        <translation>Что значит оттенок</translation>
    </message>
    <message>
        <source>Distance</source>
        <translation>Расхождение</translation>
    </message>
    <message>
        <source>Choice</source>
        <translation>Выбор</translation>
    </message>
    <message>
        <source>Legend</source>
        <translation>Обозначения</translation>
    </message>
    <message>
        <source>Tokens of the answer; the arrow keys go from one to the next</source>
        <translation>Токены ответа; стрелки ведут от одного к другому</translation>
    </message>
    <message>
        <source>Reading</source>
        <translation>Чтение</translation>
    </message>
    <message>
        <source>The same words for all</source>
        <translation>Одни слова для всех</translation>
    </message>
    <message>
        <source>Each column reads the answer and says how probable it finds every word.</source>
        <translation>Каждая колонка читает ответ и говорит, насколько вероятным считает каждое слово.</translation>
    </message>
    <message>
        <source>Free answers part after a few words and cannot be compared any further. Here one answer goes through all columns, and each word shows how far a level has moved from the reference.</source>
        <translation>Свободные ответы расходятся через несколько слов, и дальше их не сравнить. Здесь один ответ проходит через все колонки, и каждое слово показывает, насколько уровень отошёл от эталона.</translation>
    </message>
    <message>
        <source>No answer yet</source>
        <translation>Ответа пока нет</translation>
    </message>
    <message>
        <source>Ask the columns something first; then one of their answers can be read by all.</source>
        <translation>Сначала спросите колонки о чём-нибудь; тогда один из ответов смогут прочесть все.</translation>
    </message>
</context>
<context>
    <name>SamplingModel</name>
    <message>
        <source>Leaving tokens out</source>
        <translation>Отсев токенов</translation>
    </message>
    <message>
        <source>Repetition</source>
        <translation>Повторы</translation>
    </message>
    <message>
        <source>Changing temperature</source>
        <translation>Переменная температура</translation>
    </message>
    <message>
        <source>Even surprise</source>
        <translation>Ровная неожиданность</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>Температура</translation>
    </message>
    <message>
        <source>0 always takes the most probable token; higher values vary more.</source>
        <translation>При 0 всегда берётся самый вероятный токен; чем больше, тем разнообразнее.</translation>
    </message>
    <message>
        <source>Top-p</source>
        <translation>Top-p</translation>
    </message>
    <message>
        <source>Only the most probable tokens that together reach this share are drawn from; 1 is off.</source>
        <translation>Выбор идёт только среди самых вероятных токенов, вместе дающих эту долю; 1 — выключено.</translation>
    </message>
    <message>
        <source>Top-k</source>
        <translation>Top-k</translation>
    </message>
    <message>
        <source>Only so many of the most probable tokens are drawn from; 0 is off.</source>
        <translation>Выбор идёт только среди стольких самых вероятных токенов; 0 — выключено.</translation>
    </message>
    <message>
        <source>Min-p</source>
        <translation>Min-p</translation>
    </message>
    <message>
        <source>Tokens less probable than this share of the best one are left out; 0 is off.</source>
        <translation>Отсеиваются токены, вероятность которых меньше этой доли от вероятности лучшего; 0 — выключено.</translation>
    </message>
    <message>
        <source>Typical-p</source>
        <translation>Typical-p</translation>
    </message>
    <message>
        <source>Keeps the tokens that surprise about as much as expected, up to this share; 1 is off.</source>
        <translation>Остаются токены, неожиданные примерно настолько, насколько это обычно, вместе дающие эту долю; 1 — выключено.</translation>
    </message>
    <message>
        <source>Top-n-sigma</source>
        <translation>Top-n-sigma</translation>
    </message>
    <message>
        <source>Leaves out tokens that lie more than so many standard deviations below the best one; 0 is off.</source>
        <translation>Отсеиваются токены, которые ниже лучшего больше чем на столько стандартных отклонений; 0 — выключено.</translation>
    </message>
    <message>
        <source>XTC probability</source>
        <translation>Вероятность XTC</translation>
    </message>
    <message>
        <source>How often the obvious choices are left out, for more unusual text; 0 is off.</source>
        <translation>Как часто отбрасываются очевидные варианты, чтобы текст был необычнее; 0 — выключено.</translation>
    </message>
    <message>
        <source>XTC threshold</source>
        <translation>Порог XTC</translation>
    </message>
    <message>
        <source>From this probability on a choice counts as obvious; above 0.5 nothing is left out.</source>
        <translation>С этой вероятности вариант считается очевидным; выше 0,5 ничего не отбрасывается.</translation>
    </message>
    <message>
        <source>Keep at least</source>
        <translation>Оставлять не меньше</translation>
    </message>
    <message>
        <source>So many tokens stay, whatever would be left out.</source>
        <translation>Столько токенов остаётся при любом отсеве.</translation>
    </message>
    <message>
        <source>Repetition penalty</source>
        <translation>Штраф за повтор</translation>
    </message>
    <message>
        <source>Above 1, tokens of the question and the reply become less likely; 1 is off.</source>
        <translation>Больше 1 — токены вопроса и ответа становятся менее вероятными; 1 — выключено.</translation>
    </message>
    <message>
        <source>Looks back</source>
        <translation>Глубина штрафов</translation>
    </message>
    <message>
        <source>So many of the last tokens count for the three penalties; -1 is all, 0 is off.</source>
        <translation>Столько последних токенов учитывают три штрафа; −1 — все, 0 — выключено.</translation>
    </message>
    <message>
        <source>Frequency penalty</source>
        <translation>Штраф за частоту</translation>
    </message>
    <message>
        <source>Makes a token less likely each time it stands in the reply; 0 is off.</source>
        <translation>Токен становится менее вероятным с каждым появлением в ответе; 0 — выключено.</translation>
    </message>
    <message>
        <source>Presence penalty</source>
        <translation>Штраф за присутствие</translation>
    </message>
    <message>
        <source>Makes a token less likely once it stands in the reply; 0 is off.</source>
        <translation>Токен становится менее вероятным, как только появился в ответе; 0 — выключено.</translation>
    </message>
    <message>
        <source>DRY strength</source>
        <translation>Сила DRY</translation>
    </message>
    <message>
        <source>Makes it less likely that a whole passage is written again; 0 is off, 0.8 is usual.</source>
        <translation>Меньше вероятность, что целый отрывок будет написан снова; 0 — выключено, обычно 0,8.</translation>
    </message>
    <message>
        <source>DRY growth</source>
        <translation>Рост DRY</translation>
    </message>
    <message>
        <source>How fast that grows with the length of the passage.</source>
        <translation>Как быстро это растёт с длиной отрывка.</translation>
    </message>
    <message>
        <source>DRY free length</source>
        <translation>Свободная длина DRY</translation>
    </message>
    <message>
        <source>Passages shorter than this may repeat freely.</source>
        <translation>Отрывки короче этого могут повторяться свободно.</translation>
    </message>
    <message>
        <source>DRY looks back</source>
        <translation>Глубина DRY</translation>
    </message>
    <message>
        <source>So many of the last tokens are searched for the passage; -1 is all, 0 is off.</source>
        <translation>В стольких последних токенах ищется отрывок; −1 — во всех, 0 — выключено.</translation>
    </message>
    <message>
        <source>Range</source>
        <translation>Размах</translation>
    </message>
    <message>
        <source>The temperature falls by up to this where the model is sure and rises where it is not; 0 is off.</source>
        <translation>На столько температура опускается там, где модель уверена, и поднимается там, где нет; 0 — выключено.</translation>
    </message>
    <message>
        <source>Exponent</source>
        <translation>Показатель</translation>
    </message>
    <message>
        <source>Above 1 the temperature stays low for longer, below 1 it rises sooner.</source>
        <translation>Больше 1 — температура дольше остаётся низкой, меньше 1 — раньше поднимается.</translation>
    </message>
    <message>
        <source>Mirostat surprise</source>
        <translation>Неожиданность Mirostat</translation>
    </message>
    <message>
        <source>Keeps the text at this surprise, in bits, in place of the numbers that leave tokens out; 0 is off, 5 is usual.</source>
        <translation>Держит неожиданность текста на этом уровне, в битах, вместо отсева токенов; 0 — выключено, обычно 5.</translation>
    </message>
    <message>
        <source>Mirostat pace</source>
        <translation>Скорость Mirostat</translation>
    </message>
    <message>
        <source>How fast it corrects itself.</source>
        <translation>Как быстро он себя поправляет.</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>Начальное число</translation>
    </message>
    <message>
        <source>The same seed makes the same choices again; empty is a new one each time. The one used stands under &quot;why?&quot;.</source>
        <translation>С тем же начальным числом выбор повторится; пусто — каждый раз новое. Использованное указано под ссылкой «почему?».</translation>
    </message>
    <message>
        <source>random</source>
        <translation>случайное</translation>
    </message>
    <message>
        <source>Token biases</source>
        <translation>Поправки токенов</translation>
    </message>
    <message>
        <source>Numbers of tokens and what is added to their score: 1678=-5. The word false bans a token: 1678=false.</source>
        <translation>Номера токенов и что прибавляется к их оценке: 1678=-5. Слово false запрещает токен: 1678=false.</translation>
    </message>
    <message>
        <source>none</source>
        <translation>нет</translation>
    </message>
    <message>
        <source>Order of stages</source>
        <translation>Порядок ступеней</translation>
    </message>
    <message>
        <source>Stages that are not named are off. Usual: penalties, dry, top_n_sigma, top_k, typical, top_p, min_p, xtc, temperature.</source>
        <translation>Неназванные ступени выключены. Обычно: penalties, dry, top_n_sigma, top_k, typical, top_p, min_p, xtc, temperature.</translation>
    </message>
    <message>
        <source>usual</source>
        <translation>обычный</translation>
    </message>
</context>
<context>
    <name>SamplingRow</name>
    <message>
        <source>Seed</source>
        <translation>Зерно</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>Температура</translation>
    </message>
    <message>
        <source>At most</source>
        <translation>Не больше</translation>
    </message>
    <message>
        <source>Tokens of an answer at most</source>
        <translation>Токенов в ответе не больше</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>токенов</translation>
    </message>
    <message>
        <source>At temperature 0 each column always takes its most probable word.</source>
        <translation>При температуре 0 каждая колонка берёт самое вероятное слово.</translation>
    </message>
    <message>
        <source>The same seed draws the same words where columns agree.</source>
        <translation>С одним зерном колонки, где они согласны, берут одни слова.</translation>
    </message>
</context>
<context>
    <name>SamplingSection</name>
    <message>
        <source>Fewer</source>
        <translation>Меньше</translation>
    </message>
    <message>
        <source>More (%1 changed)</source>
        <translation>Больше (изменено: %1)</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Больше</translation>
    </message>
    <message>
        <source>Reset all</source>
        <translation>Сбросить всё</translation>
    </message>
    <message>
        <source>Back to what suits the model</source>
        <translation>Вернуть то, что подходит модели</translation>
    </message>
    <message>
        <source>Keep how sure the model was</source>
        <translation>Хранить уверенность модели</translation>
    </message>
    <message>
        <source>Stores with each new reply how probable its tokens were; &quot;tokens&quot; under the reply shows them.</source>
        <translation>С каждым новым ответом сохраняется, насколько вероятны были его токены; их покажет кнопка «токены» под ответом.</translation>
    </message>
</context>
<context>
    <name>ScrollBar</name>
    <message>
        <source>Scroll sideways</source>
        <translation>Прокрутка вбок</translation>
    </message>
    <message>
        <source>Scroll</source>
        <translation>Прокрутка</translation>
    </message>
</context>
<context>
    <name>SettingEditor</name>
    <message>
        <source>on</source>
        <translation>вкл.</translation>
    </message>
    <message>
        <source>off</source>
        <translation>выкл.</translation>
    </message>
    <message>
        <source>Less</source>
        <translation>Меньше</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Больше</translation>
    </message>
</context>
<context>
    <name>SettingRow</name>
    <message>
        <source>Taken now: %1</source>
        <translation>Сейчас занято: %1</translation>
    </message>
    <message>
        <source>Delete now</source>
        <translation>Удалить сейчас</translation>
    </message>
    <message>
        <source>Default: %1</source>
        <translation>По умолчанию: %1</translation>
    </message>
    <message>
        <source>Reset %1 to its default</source>
        <translation>Вернуть по умолчанию: %1</translation>
    </message>
</context>
<context>
    <name>SettingsPage</name>
    <message>
        <source>Settings</source>
        <translation>Настройки</translation>
    </message>
    <message>
        <source>Search settings</source>
        <translation>Поиск по настройкам</translation>
    </message>
    <message>
        <source>All levels</source>
        <translation>Все настройки</translation>
    </message>
    <message>
        <source>No such setting</source>
        <translation>Такой настройки нет</translation>
    </message>
    <message>
        <source>Nothing is named like “%1”.</source>
        <translation>По запросу «%1» ничего не нашлось.</translation>
    </message>
    <message>
        <source>Show all</source>
        <translation>Показать все</translation>
    </message>
    <message>
        <source>Add a folder of models</source>
        <translation>Добавление папки с моделями</translation>
    </message>
</context>
<context>
    <name>SettingsSchema</name>
    <message>
        <source>Chats</source>
        <translation>Чаты</translation>
    </message>
    <message>
        <source>Keep chats warm on disk</source>
        <translation>Держать чаты наготове на диске</translation>
    </message>
    <message>
        <source>What a model has read of a chat is kept in a file when it must leave memory, so that the chat goes on at once when you return to it. Turning this off removes these files.</source>
        <translation>То, что модель прочитала в чате, сохраняется в файл, когда уходит из памяти, чтобы чат сразу продолжился, когда вы к нему вернётесь. При выключении эти файлы удаляются.</translation>
    </message>
    <message>
        <source>Space for warm chats</source>
        <translation>Место для чатов наготове</translation>
    </message>
    <message>
        <source>When the files take more, the chats that were used longest ago lose theirs. Deleting them loses no chat: the next answer only starts later.</source>
        <translation>Если файлы занимают больше, удаляются файлы давно не открывавшихся чатов. Сами чаты при этом не теряются: следующий ответ лишь начнётся позже.</translation>
    </message>
    <message>
        <source>GB</source>
        <translation>ГБ</translation>
    </message>
    <message>
        <source>As the system</source>
        <translation>Как в системе</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Светлая</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Тёмная</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>Внешний вид</translation>
    </message>
    <message>
        <source>Engine</source>
        <translation>Движок</translation>
    </message>
    <message>
        <source>Replies</source>
        <translation>Ответы</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>Модели</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>токенов</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>Язык</translation>
    </message>
    <message>
        <source>The language of the window; it changes at once.</source>
        <translation>Язык окна; меняется сразу.</translation>
    </message>
    <message>
        <source>Theme</source>
        <translation>Тема</translation>
    </message>
    <message>
        <source>Light or dark.</source>
        <translation>Светлая или тёмная.</translation>
    </message>
    <message>
        <source>Text size</source>
        <translation>Размер текста</translation>
    </message>
    <message>
        <source>The size of all text in the window.</source>
        <translation>Размер всего текста в окне.</translation>
    </message>
    <message>
        <source>Reduced motion</source>
        <translation>Меньше движения</translation>
    </message>
    <message>
        <source>Nothing fades or slides; gauges jump to their value.</source>
        <translation>Ничто не скользит и не проявляется; шкалы сразу встают на место.</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Устройство</translation>
    </message>
    <message>
        <source>Where models run. Automatic takes the fastest device that works; it counts from the next load.</source>
        <translation>Где работают модели. Автоматически выбирается самое быстрое из исправных. Действует со следующей загрузки.</translation>
    </message>
    <message>
        <source>Context length</source>
        <translation>Длина контекста</translation>
    </message>
    <message>
        <source>KV cache</source>
        <translation>KV-кэш</translation>
    </message>
    <message>
        <source>How exactly the model keeps what it has read. Fewer bits leave room for longer chats; models that cannot bear it keep 16 bits. It counts from the next load.</source>
        <translation>Насколько точно модель хранит прочитанное. Чем меньше битов, тем длиннее поместится чат; модели, которым это вредит, остаются при 16 битах. Действует со следующей загрузки.</translation>
    </message>
    <message>
        <source>32 bits: twice the memory</source>
        <translation>32 бита: вдвое больше памяти</translation>
    </message>
    <message>
        <source>16 bits: nothing is lost</source>
        <translation>16 битов: без потерь</translation>
    </message>
    <message>
        <source>8 bits: half the memory, hardly any loss</source>
        <translation>8 битов: половина памяти, потерь почти нет</translation>
    </message>
    <message>
        <source>5 bits: three eighths of the memory, a small loss</source>
        <translation>5 битов: три восьмых памяти, небольшие потери</translation>
    </message>
    <message>
        <source>4 bits: a good quarter of the memory, replies may suffer</source>
        <translation>4 бита: чуть больше четверти памяти, ответы могут стать хуже</translation>
    </message>
    <message>
        <source>Processor threads</source>
        <translation>Потоки процессора</translation>
    </message>
    <message>
        <source>How many threads work when a model runs on the processor; it counts from the next load.</source>
        <translation>Сколько потоков работает, когда модель считает процессор. Действует со следующей загрузки.</translation>
    </message>
    <message>
        <source>Reply limit</source>
        <translation>Предел ответа</translation>
    </message>
    <message>
        <source>Model folders</source>
        <translation>Папки с моделями</translation>
    </message>
    <message>
        <source>Folders whose GGUF files the library shows besides its own; the files stay where they are.</source>
        <translation>Папки, чьи файлы GGUF библиотека показывает вместе со своими. Файлы остаются на месте.</translation>
    </message>
    <message>
        <source>A reply ends after so many tokens, unless its chat says otherwise.</source>
        <translation>Ответ заканчивается через столько токенов, если в чате не задано иное.</translation>
    </message>
    <message>
        <source>How much of a chat the model can see. Left empty, it is the model&apos;s own, up to 4,096 tokens. A longer context takes more memory for the KV cache; it counts from the next load.</source>
        <translation>Какую часть чата видит модель. Если не указать, берётся длина самой модели, до 4096 токенов. Чем длиннее контекст, тем больше памяти уходит на KV-кэш. Действует со следующей загрузки.</translation>
    </message>
    <message>
        <source>up to 4,096</source>
        <translation>до 4096</translation>
    </message>
    <message>
        <source>physical cores</source>
        <translation>по числу ядер</translation>
    </message>
    <message>
        <source>no limit</source>
        <translation>без предела</translation>
    </message>
    <message>
        <source>Guess ahead</source>
        <translation>Предугадывание</translation>
    </message>
    <message>
        <source>Tokens that followed the same words before are guessed and checked together, which is faster where a text repeats itself. The text stays the same. The inspector of a chat chooses it for one model.</source>
        <translation>Токены, которые раньше шли за теми же словами, угадываются и проверяются разом: так быстрее там, где текст повторяется. Текст остаётся тем же. Для отдельной модели это выбирается в инспекторе чата.</translation>
    </message>
    <message>
        <source>Read ahead while typing</source>
        <translation>Читать заранее, пока вы печатаете</translation>
    </message>
    <message>
        <source>When you pause, the model reads the chat and your draft so far, so that the reply starts sooner.</source>
        <translation>Когда вы делаете паузу, модель читает чат и ваш черновик, и ответ начинается раньше.</translation>
    </message>
    <message>
        <source>Slow to stream above</source>
        <translation>Медленно писать начиная с</translation>
    </message>
    <message>
        <source>A reply with more time than this between its tokens, in the median, is called slow to stream.</source>
        <translation>Если медиана времени между токенами больше, считается, что ответ медленно писал.</translation>
    </message>
    <message>
        <source>ms</source>
        <translation>мс</translation>
    </message>
</context>
<context>
    <name>Sheet</name>
    <message>
        <source>Close</source>
        <translation>Закрыть</translation>
    </message>
</context>
<context>
    <name>ShortcutsSheet</name>
    <message>
        <source>Shortcuts</source>
        <translation>Сочетания клавиш</translation>
    </message>
    <message>
        <source>Enter</source>
        <translation>Enter</translation>
    </message>
    <message>
        <source>Send the message</source>
        <translation>Отправить сообщение</translation>
    </message>
    <message>
        <source>Shift+Enter</source>
        <translation>Shift+Enter</translation>
    </message>
    <message>
        <source>New line in the message</source>
        <translation>Новая строка в сообщении</translation>
    </message>
    <message>
        <source>Esc</source>
        <translation>Esc</translation>
    </message>
    <message>
        <source>Stop the reply; close what is open</source>
        <translation>Остановить ответ; закрыть открытое</translation>
    </message>
    <message>
        <source>Ctrl+N</source>
        <translation>Ctrl+N</translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>Новый чат</translation>
    </message>
    <message>
        <source>Ctrl+K</source>
        <translation>Ctrl+K</translation>
    </message>
    <message>
        <source>Search</source>
        <translation>Поиск</translation>
    </message>
    <message>
        <source>Ctrl+L</source>
        <translation>Ctrl+L</translation>
    </message>
    <message>
        <source>Choose the model</source>
        <translation>Выбрать модель</translation>
    </message>
    <message>
        <source>Ctrl+M</source>
        <translation>Ctrl+M</translation>
    </message>
    <message>
        <source>Memory in detail</source>
        <translation>Память подробно</translation>
    </message>
    <message>
        <source>Ctrl+,</source>
        <translation>Ctrl+,</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Настройки</translation>
    </message>
    <message>
        <source>Ctrl+1 to Ctrl+%1</source>
        <translation>Ctrl+1 … Ctrl+%1</translation>
    </message>
    <message>
        <source>Places, in the order of the rail</source>
        <translation>Разделы по порядку</translation>
    </message>
    <message>
        <source>F1</source>
        <translation>F1</translation>
    </message>
    <message>
        <source>This list</source>
        <translation>Этот список</translation>
    </message>
    <message>
        <source>Ctrl+Q</source>
        <translation>Ctrl+Q</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>Выйти</translation>
    </message>
</context>
<context>
    <name>SyncFile</name>
    <message>
        <source>The disk reported an error while the file was completed.</source>
        <translation>При завершении файла диск сообщил об ошибке.</translation>
    </message>
</context>
<context>
    <name>ThinkingRow</name>
    <message>
        <source>Reasoning: %1</source>
        <translation>Рассуждение: %1</translation>
    </message>
</context>
<context>
    <name>ThoughtRow</name>
    <message>
        <source>Fold the reasoning</source>
        <translation>Свернуть рассуждение</translation>
    </message>
    <message>
        <source>Show the reasoning</source>
        <translation>Показать рассуждение</translation>
    </message>
</context>
<context>
    <name>ThreadView</name>
    <message>
        <source>Messages</source>
        <translation>Сообщения</translation>
    </message>
    <message>
        <source>To the end</source>
        <translation>В конец</translation>
    </message>
</context>
<context>
    <name>TimingSheet</name>
    <message>
        <source>Where the time went</source>
        <translation>На что ушло время</translation>
    </message>
</context>
<context>
    <name>Toast</name>
    <message>
        <source>Dismiss</source>
        <translation>Скрыть</translation>
    </message>
</context>
<context>
    <name>TokenDetails</name>
    <message>
        <source>chosen</source>
        <translation>выбран</translation>
    </message>
</context>
<context>
    <name>TokensSheet</name>
    <message>
        <source>How sure the model was</source>
        <translation>Насколько модель была уверена</translation>
    </message>
    <message>
        <source>Each piece is a token. The stronger its tint, the less probable the model found it; below one in ten it is underlined too.</source>
        <translation>Каждый кусочек — токен. Чем сильнее его цвет, тем менее вероятным его считала модель; если меньше одного из десяти, он ещё и подчёркнут.</translation>
    </message>
    <message>
        <source>Tokens of the reply</source>
        <translation>Токены ответа</translation>
    </message>
    <message>
        <source>“%1”: %2</source>
        <translation>«%1»: %2</translation>
    </message>
    <message>
        <source>chosen</source>
        <translation>выбран</translation>
    </message>
    <message>
        <source>below 0.1 %</source>
        <translation>меньше 0.1 %</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>end of the reply</source>
        <translation>конец ответа</translation>
    </message>
</context>
<context>
    <name>UserRow</name>
    <message>
        <source>You: %1</source>
        <translation>Вы: %1</translation>
    </message>
</context>
<context>
    <name>VerdictCard</name>
    <message>
        <source>Verdict</source>
        <translation>Вывод</translation>
    </message>
    <message>
        <source>Nothing was measured on a text yet</source>
        <translation>На тексте пока не измерено</translation>
    </message>
    <message>
        <source>Export…</source>
        <translation>Экспорт…</translation>
    </message>
    <message>
        <source>Markdown, CSV, JSON, PNG or SVG</source>
        <translation>Markdown, CSV, JSON, PNG или SVG</translation>
    </message>
    <message>
        <source>A file in F16 or BF16 of the same model would be a better reference.</source>
        <translation>Лучшим эталоном был бы файл той же модели в F16 или BF16.</translation>
    </message>
    <message>
        <source>Get it</source>
        <translation>Получить</translation>
    </message>
    <message>
        <source>Opens the library, where the address of a file can be pasted</source>
        <translation>Открывает библиотеку, куда можно вставить адрес файла</translation>
    </message>
</context>
<context>
    <name>VerdictWords</name>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>%1 times the memory</source>
        <translation>память %1 от базовой</translation>
    </message>
    <message>
        <source>%1 times as fast</source>
        <translation>скорость %1 от базовой</translation>
    </message>
    <message>
        <source>%1: %2.</source>
        <translation>%1: %2.</translation>
    </message>
    <message>
        <source>nothing was measured</source>
        <translation>ничего не измерено</translation>
    </message>
    <message>
        <source>%1 is the smallest level that stays below %2 nats.</source>
        <translation>%1 — самый малый уровень, что остаётся ниже %2 ната.</translation>
    </message>
    <message>
        <source>No level stays below %1 nats.</source>
        <translation>Ни один уровень не остаётся ниже %1 ната.</translation>
    </message>
    <message>
        <source>This text is too short to tell %1 and %2 apart: their difference is smaller than its error.</source>
        <translation>Текст слишком короток, чтобы различить %1 и %2: разница меньше её погрешности.</translation>
    </message>
    <message>
        <source>%1 loses %2 of perplexity, more than the %3 that are published for its level.</source>
        <translation>%1 теряет %2 перплексии — больше, чем опубликованные для его уровня %3.</translation>
    </message>
    <message>
        <source>%1 loses %2 of perplexity, as is published for its level (at most %3).</source>
        <translation>%1 теряет %2 перплексии, как и опубликовано для его уровня (не больше %3).</translation>
    </message>
    <message>
        <source>%1 predicts this text no worse than the reference: its perplexity is %2 lower.</source>
        <translation>%1 предсказывает этот текст не хуже эталона: его перплексия на %2 ниже.</translation>
    </message>
    <message>
        <source>The reference %1 is itself quantized: the losses are on top of its own.</source>
        <translation>Эталон %1 сам квантован: потери добавляются к его собственным.</translation>
    </message>
    <message>
        <source>Only %1 tokens were scored: the figures are rough.</source>
        <translation>Оценено всего %1 токенов: числа приблизительны.</translation>
    </message>
    <message>
        <source>%1 could not be compared.</source>
        <translation>%1 сравнить не удалось.</translation>
    </message>
    <message>
        <source>%1 nats from the reference</source>
        <translation>%1 ната от эталона</translation>
    </message>
</context>
<context>
    <name>VoteBar</name>
    <message>
        <source>Which answer is best?</source>
        <translation>Какой ответ лучше?</translation>
    </message>
    <message>
        <source>Answer %1 is best</source>
        <translation>Лучше ответ %1</translation>
    </message>
    <message>
        <source>No difference</source>
        <translation>Разницы нет</translation>
    </message>
</context>
<context>
    <name>VotesSheet</name>
    <message>
        <source>Blind votes</source>
        <translation>Голоса вслепую</translation>
    </message>
    <message>
        <source>no difference %1</source>
        <translation>разницы нет: %1</translation>
    </message>
</context>
<context>
    <name>steelyard::ChatDesk</name>
    <message numerus="yes">
        <source>%Ln running</source>
        <translation>
            <numerusform>%Ln пишется</numerusform>
            <numerusform>%Ln пишутся</numerusform>
            <numerusform>%Ln пишутся</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln waiting</source>
        <translation>
            <numerusform>%Ln ждёт</numerusform>
            <numerusform>%Ln ждут</numerusform>
            <numerusform>%Ln ждут</numerusform>
        </translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
</context>
<context>
    <name>steelyard::ChatList</name>
    <message>
        <source>New chat</source>
        <translation>Новый чат</translation>
    </message>
    <message>
        <source>Today</source>
        <translation>Сегодня</translation>
    </message>
    <message>
        <source>Yesterday</source>
        <translation>Вчера</translation>
    </message>
    <message>
        <source>Last 7 days</source>
        <translation>За 7 дней</translation>
    </message>
    <message>
        <source>Last 30 days</source>
        <translation>За 30 дней</translation>
    </message>
    <message>
        <source>Pinned</source>
        <translation>Закреплённые</translation>
    </message>
    <message>
        <source>Found</source>
        <translation>Найдено</translation>
    </message>
</context>
<context>
    <name>steelyard::ChatSession</name>
    <message>
        <source>A context of %1 tokens does not fit into memory: %2 are missing.</source>
        <translation>Контекст в %1 токенов не помещается в память: не хватает %2.</translation>
    </message>
    <message>
        <source>You</source>
        <translation>Вы</translation>
    </message>
</context>
<context>
    <name>steelyard::ColumnList</name>
    <message>
        <source>%1 bits a weight</source>
        <translation>%1 бит на вес</translation>
    </message>
    <message>
        <source>weights %1 · KV %2</source>
        <translation>веса %1 · KV %2</translation>
    </message>
</context>
<context>
    <name>steelyard::CompareAnswer</name>
    <message>
        <source>Waiting for its turn</source>
        <translation>Ждёт очереди</translation>
    </message>
    <message>
        <source>Loading: %1 %</source>
        <translation>Загрузка: %1 %</translation>
    </message>
    <message>
        <source>Reading the prompt: %1 of %2 tokens</source>
        <translation>Читает запрос: %1 из %2 токенов</translation>
    </message>
    <message>
        <source>Reading the prompt</source>
        <translation>Читает запрос</translation>
    </message>
    <message>
        <source>reached the limit</source>
        <translation>достигнут предел</translation>
    </message>
    <message>
        <source>context is full</source>
        <translation>контекст заполнен</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>остановлено</translation>
    </message>
    <message>
        <source>No answer.</source>
        <translation>Ответа нет.</translation>
    </message>
    <message>
        <source>the others are compared with this one</source>
        <translation>с ним сравниваются остальные</translation>
    </message>
    <message>
        <source>word for word the same</source>
        <translation>слово в слово то же</translation>
    </message>
    <message>
        <source>differs from the first word on</source>
        <translation>расходится с первого слова</translation>
    </message>
    <message numerus="yes">
        <source>the same for %Ln word(s)</source>
        <translation>
            <numerusform>совпадает на протяжении %Ln слова</numerusform>
            <numerusform>совпадает на протяжении %Ln слов</numerusform>
            <numerusform>совпадает на протяжении %Ln слов</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln difference(s)</source>
        <translation>
            <numerusform>%Ln отличие</numerusform>
            <numerusform>%Ln отличия</numerusform>
            <numerusform>%Ln отличий</numerusform>
        </translation>
    </message>
    <message>
        <source>Others answered at the same time.</source>
        <translation>Одновременно отвечали другие.</translation>
    </message>
    <message>
        <source>first token</source>
        <translation>первый токен</translation>
    </message>
    <message>
        <source>From sending to the first visible character, without loading.</source>
        <translation>От отправки до первого видимого знака, без загрузки.</translation>
    </message>
    <message>
        <source>reading</source>
        <translation>чтение</translation>
    </message>
    <message>
        <source>%1 tok/s</source>
        <translation>%1 ток/с</translation>
    </message>
    <message numerus="yes">
        <source>How fast the prompt of %Ln token(s) was read.</source>
        <translation>
            <numerusform>Как быстро прочитан запрос в %Ln токен.</numerusform>
            <numerusform>Как быстро прочитан запрос в %Ln токена.</numerusform>
            <numerusform>Как быстро прочитан запрос в %Ln токенов.</numerusform>
        </translation>
    </message>
    <message>
        <source>writing</source>
        <translation>письмо</translation>
    </message>
    <message numerus="yes">
        <source>How fast the answer of %Ln token(s) was written.</source>
        <translation>
            <numerusform>Как быстро написан ответ в %Ln токен.</numerusform>
            <numerusform>Как быстро написан ответ в %Ln токена.</numerusform>
            <numerusform>Как быстро написан ответ в %Ln токенов.</numerusform>
        </translation>
    </message>
    <message>
        <source>between tokens</source>
        <translation>между токенами</translation>
    </message>
    <message>
        <source>%1, 95 %: %2</source>
        <translation>%1, 95 %: %2</translation>
    </message>
    <message>
        <source>The median time from one token to the next, and the time that 95 of 100 stay below.</source>
        <translation>Медиана времени от токена до токена и время, ниже которого остаются 95 из 100.</translation>
    </message>
    <message>
        <source>guesses</source>
        <translation>угадывание</translation>
    </message>
    <message>
        <source>%1 % right</source>
        <translation>%1 % верно</translation>
    </message>
    <message>
        <source>Of the tokens guessed ahead, those that the model confirmed.</source>
        <translation>Из угаданных наперёд токенов — те, что модель подтвердила.</translation>
    </message>
</context>
<context>
    <name>steelyard::CompareDesk</name>
    <message>
        <source>%1 is free.</source>
        <translation>Свободно %1.</translation>
    </message>
    <message>
        <source>Takes %1.</source>
        <translation>Занимает %1.</translation>
    </message>
    <message>
        <source>All fit into memory together: %1.</source>
        <translation>Все вместе помещаются в память: %1.</translation>
    </message>
    <message>
        <source>Together they would take %1, so they run one after the other: the largest takes %2.</source>
        <translation>Вместе они заняли бы %1, поэтому работают по очереди: самая большая занимает %2.</translation>
    </message>
    <message>
        <source>None of the columns can be loaded.</source>
        <translation>Ни одну колонку загрузить нельзя.</translation>
    </message>
    <message>
        <source>Counted: no difference.</source>
        <translation>Учтено: разницы нет.</translation>
    </message>
    <message>
        <source>Counted for %1.</source>
        <translation>Голос учтён: %1.</translation>
    </message>
</context>
<context>
    <name>steelyard::DeviceGauge</name>
    <message>
        <source>System memory</source>
        <translation>Системная память</translation>
    </message>
</context>
<context>
    <name>steelyard::DownloadList</name>
    <message numerus="yes">
        <source>%n second(s) left</source>
        <translation>
            <numerusform>осталась %n секунда</numerusform>
            <numerusform>осталось %n секунды</numerusform>
            <numerusform>осталось %n секунд</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n minute(s) left</source>
        <translation>
            <numerusform>осталась %n минута</numerusform>
            <numerusform>осталось %n минуты</numerusform>
            <numerusform>осталось %n минут</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n hour(s) left</source>
        <translation>
            <numerusform>остался %n час</numerusform>
            <numerusform>осталось %n часа</numerusform>
            <numerusform>осталось %n часов</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 из %2</translation>
    </message>
    <message>
        <source>Connecting</source>
        <translation>Соединение</translation>
    </message>
    <message>
        <source>%1 · trying again soon</source>
        <translation>%1 · скоро новая попытка</translation>
    </message>
    <message>
        <source>Checking %1</source>
        <translation>Проверка: %1</translation>
    </message>
    <message>
        <source>%1 · paused</source>
        <translation>%1 · приостановлено</translation>
    </message>
    <message>
        <source>%1 · stopped</source>
        <translation>%1 · остановлено</translation>
    </message>
    <message>
        <source>Stopped</source>
        <translation>Остановлено</translation>
    </message>
    <message>
        <source>%1 · complete, SHA-256 as published</source>
        <translation>%1 · готово, SHA-256 совпадает с опубликованной</translation>
    </message>
    <message>
        <source>%1 · complete; no checksum is published</source>
        <translation>%1 · готово; контрольная сумма не опубликована</translation>
    </message>
    <message>
        <source>%1/s</source>
        <translation>%1/с</translation>
    </message>
</context>
<context>
    <name>steelyard::GuessAhead</name>
    <message>
        <source>Off</source>
        <translation>Выключено</translation>
    </message>
    <message>
        <source>By looking up</source>
        <translation>По повторам в тексте</translation>
    </message>
    <message>
        <source>With %1</source>
        <translation>С моделью %1</translation>
    </message>
    <message>
        <source>another family; its vocabulary may differ</source>
        <translation>другое семейство, словарь может отличаться</translation>
    </message>
    <message>
        <source>Each token is made on its own.</source>
        <translation>Каждый токен создаётся отдельно.</translation>
    </message>
    <message>
        <source>With a smaller model</source>
        <translation>С меньшей моделью</translation>
    </message>
    <message>
        <source>The library has none of at most half the size.</source>
        <translation>В библиотеке нет модели хотя бы вдвое меньше.</translation>
    </message>
    <message>
        <source>What followed the same words before is guessed and checked in one step. The text stays the same.</source>
        <translation>То, что раньше шло за теми же словами, угадывается и проверяется за один шаг. Текст остаётся тем же.</translation>
    </message>
    <message>
        <source>The smaller model guesses, this one checks its guesses in one step. The text stays the same; both take memory.</source>
        <translation>Меньшая модель угадывает, эта проверяет догадки за один шаг. Текст остаётся тем же; память занимают обе.</translation>
    </message>
    <message>
        <source>With its own predictor</source>
        <translation>Со слоем предсказания</translation>
    </message>
    <message>
        <source>A layer of the model&apos;s own file guesses the next tokens, the model checks them in one step. The text stays the same; the layer takes memory.</source>
        <translation>Слой из файла самой модели угадывает следующие токены, модель проверяет их за один шаг. Текст остаётся тем же; слой занимает память.</translation>
    </message>
</context>
<context>
    <name>steelyard::LevelMaker</name>
    <message>
        <source>%1 is itself quantized: what is made from it loses on top of what it has lost already.</source>
        <translation>%1 сам квантован: сделанное из него теряет сверх того, что уже потеряно.</translation>
    </message>
    <message>
        <source>%1 bits per weight</source>
        <translation>%1 бит на вес</translation>
    </message>
    <message>
        <source>on this computer</source>
        <translation>есть на компьютере</translation>
    </message>
    <message>
        <source>larger than its source, no better</source>
        <translation>больше источника, но не лучше</translation>
    </message>
    <message>
        <source>poor without an importance matrix</source>
        <translation>плох без матрицы важности</translation>
    </message>
    <message>
        <source>Making %1</source>
        <translation>Делается %1</translation>
    </message>
    <message numerus="yes">
        <source>%Ln more after it</source>
        <translation>
            <numerusform>после него ещё %Ln</numerusform>
            <numerusform>после него ещё %Ln</numerusform>
            <numerusform>после него ещё %Ln</numerusform>
        </translation>
    </message>
    <message>
        <source>The levels take %1, and the disk has %2 free. Choose fewer, or make room.</source>
        <translation>Уровни займут %1, а на диске свободно %2. Выберите меньше или освободите место.</translation>
    </message>
    <message>
        <source>%1 was not made: %2</source>
        <translation>%1 не сделан: %2</translation>
    </message>
</context>
<context>
    <name>steelyard::Library</name>
    <message>
        <source>%1 is no folder of this computer.</source>
        <translation>%1 — не папка на этом компьютере.</translation>
    </message>
    <message>
        <source>%1 is in the library already.</source>
        <translation>%1 уже есть в библиотеке.</translation>
    </message>
    <message>
        <source>%1 is no file of this computer.</source>
        <translation>%1 — не файл на этом компьютере.</translation>
    </message>
    <message>
        <source>%1 is no GGUF file. Steelyard runs models whose name ends in .gguf.</source>
        <translation>%1 — не файл GGUF. Steelyard работает с моделями, имя которых оканчивается на .gguf.</translation>
    </message>
</context>
<context>
    <name>steelyard::MeasureText</name>
    <message>
        <source>%1 cannot be read: %2.</source>
        <translation>Прочесть %1 нельзя: %2.</translation>
    </message>
    <message>
        <source>%1 is longer than 32 MB. Choose a part of it.</source>
        <translation>%1 длиннее 32 МБ. Выберите часть.</translation>
    </message>
    <message>
        <source>%1 is no text in UTF-8.</source>
        <translation>%1 — не текст в UTF-8.</translation>
    </message>
    <message>
        <source>Sample text</source>
        <translation>Пробный текст</translation>
    </message>
    <message>
        <source>Own text</source>
        <translation>Свой текст</translation>
    </message>
    <message>
        <source>Past chats</source>
        <translation>Прошлые чаты</translation>
    </message>
    <message>
        <source>%1 characters</source>
        <translation>знаков: %1</translation>
    </message>
    <message>
        <source>Plain English prose that comes with the program: %1. Your own text says more about your own use.</source>
        <translation>Простая английская проза из состава программы: %1. О вашей работе больше скажет ваш текст.</translation>
    </message>
    <message>
        <source>Paste a text of the kind that you work with.</source>
        <translation>Вставьте текст вроде тех, с которыми работаете.</translation>
    </message>
    <message>
        <source>The file is being read.</source>
        <translation>Файл читается.</translation>
    </message>
    <message>
        <source>Choose a file of text.</source>
        <translation>Выберите текстовый файл.</translation>
    </message>
    <message>
        <source>The chats are being read.</source>
        <translation>Чаты читаются.</translation>
    </message>
    <message numerus="yes">
        <source>%Ln chat(s), the newest first</source>
        <translation>
            <numerusform>%Ln чат, новые первыми</numerusform>
            <numerusform>%Ln чата, новые первыми</numerusform>
            <numerusform>%Ln чатов, новые первыми</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>steelyard::MemoryModel</name>
    <message>
        <source>weighing…</source>
        <translation>взвешиваем…</translation>
    </message>
    <message>
        <source>fits</source>
        <translation>помещается</translation>
    </message>
    <message>
        <source>tight</source>
        <translation>впритык</translation>
    </message>
    <message>
        <source>will not fit: %1 short</source>
        <translation>не поместится: не хватает %1</translation>
    </message>
    <message>
        <source>free memory is unknown</source>
        <translation>свободная память неизвестна</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>Модель</translation>
    </message>
    <message>
        <source>Quantization</source>
        <translation>Квантизация</translation>
    </message>
    <message>
        <source>%1 bits per weight</source>
        <translation>%1 бит на вес</translation>
    </message>
    <message>
        <source>KV cache per token</source>
        <translation>KV-кэш на токен</translation>
    </message>
    <message>
        <source>Context</source>
        <translation>Контекст</translation>
    </message>
    <message numerus="yes">
        <source>%Ln token(s)</source>
        <translation>
            <numerusform>%Ln токен</numerusform>
            <numerusform>%Ln токена</numerusform>
            <numerusform>%Ln токенов</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln token(s) used</source>
        <translation>
            <numerusform>занят %Ln токен</numerusform>
            <numerusform>занято %Ln токена</numerusform>
            <numerusform>занято %Ln токенов</numerusform>
        </translation>
    </message>
    <message>
        <source>Memory ends at</source>
        <translation>Памяти хватит до</translation>
    </message>
    <message numerus="yes">
        <source>the model itself ends at %Ln token(s)</source>
        <translation>
            <numerusform>предел самой модели — %Ln токен</numerusform>
            <numerusform>предел самой модели — %Ln токена</numerusform>
            <numerusform>предел самой модели — %Ln токенов</numerusform>
        </translation>
    </message>
    <message>
        <source>Context planned</source>
        <translation>Контекст по плану</translation>
    </message>
    <message numerus="yes">
        <source>at most %Ln token(s) fit</source>
        <translation>
            <numerusform>поместится не больше %Ln токена</numerusform>
            <numerusform>поместится не больше %Ln токенов</numerusform>
            <numerusform>поместится не больше %Ln токенов</numerusform>
        </translation>
    </message>
    <message>
        <source>Predicted were %1, taken are %2.</source>
        <translation>По прогнозу %1, занято %2.</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>неизвестно</translation>
    </message>
    <message>
        <source>%1 bytes</source>
        <translation>%1 Б</translation>
    </message>
    <message>
        <source>KV cache of windowed layers</source>
        <translation>KV-кэш слоёв с окном</translation>
    </message>
    <message>
        <source>at most; %1 per token</source>
        <translation>не больше; %1 на токен</translation>
    </message>
    <message>
        <source>State of recurrent layers</source>
        <translation>Рекуррентное состояние</translation>
    </message>
    <message>
        <source>the same at any length</source>
        <translation>не зависит от длины</translation>
    </message>
    <message>
        <source>Latent cache per token</source>
        <translation>Латентный кэш на токен</translation>
    </message>
    <message>
        <source>Compressed cache per token</source>
        <translation>Сжатый кэш на токен</translation>
    </message>
    <message>
        <source>in place of keys and values</source>
        <translation>вместо ключей и значений</translation>
    </message>
</context>
<context>
    <name>steelyard::ModelControl</name>
    <message>
        <source>on %1</source>
        <translation>на %1</translation>
    </message>
    <message>
        <source>loaded in %1</source>
        <translation>загружена за %1</translation>
    </message>
    <message>
        <source>guesses ahead with %1</source>
        <translation>догадки от %1</translation>
    </message>
</context>
<context>
    <name>steelyard::ModelList</name>
    <message numerus="yes">
        <source>%Ln byte(s)</source>
        <translation>
            <numerusform>%Ln байт</numerusform>
            <numerusform>%Ln байта</numerusform>
            <numerusform>%Ln байт</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>steelyard::ModelShelf</name>
    <message>
        <source>an unknown amount</source>
        <translation>неизвестно сколько</translation>
    </message>
    <message>
        <source>Takes %1 of memory with %L2 tokens of context; %3 is free.</source>
        <translation>Займёт %1 памяти при контексте в %L2 токенов; свободно %3.</translation>
    </message>
    <message>
        <source>%1 It is %2 short.</source>
        <translation>%1 Не хватает %2.</translation>
    </message>
</context>
<context>
    <name>steelyard::Program</name>
    <message>
        <source>Show folder</source>
        <translation>Показать папку</translation>
    </message>
    <message>
        <source>%1 cannot be used: %2</source>
        <translation>%1 использовать нельзя: %2</translation>
    </message>
    <message>
        <source>Graphics cards other than NVIDIA&apos;s are not used: %1</source>
        <translation>Видеокарты, кроме NVIDIA, не используются: %1</translation>
    </message>
    <message>
        <source>The device %1 that the settings name is not in this computer.</source>
        <translation>Устройства %1, указанного в настройках, в этом компьютере нет.</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Настройки</translation>
    </message>
</context>
<context>
    <name>steelyard::Remedies</name>
    <message>
        <source>Shorten context to %1</source>
        <translation>Сократить контекст до %1</translation>
    </message>
    <message>
        <source>Keep 8 bits in the KV cache</source>
        <translation>Хранить в KV-кэше 8 битов</translation>
    </message>
    <message>
        <source>Unload %1</source>
        <translation>Выгрузить %1</translation>
    </message>
    <message>
        <source>Take %1</source>
        <translation>Взять %1</translation>
    </message>
    <message>
        <source>Run on %1</source>
        <translation>Запустить на %1</translation>
    </message>
    <message>
        <source>fits</source>
        <translation>помещается</translation>
    </message>
    <message>
        <source>tight</source>
        <translation>впритык</translation>
    </message>
    <message>
        <source>still %1 short</source>
        <translation>не хватит ещё %1</translation>
    </message>
    <message>
        <source>free memory is unknown</source>
        <translation>свободная память неизвестна</translation>
    </message>
</context>
<context>
    <name>steelyard::ReplyRunner</name>
    <message>
        <source>Loading the model was cancelled.</source>
        <translation>Загрузка модели отменена.</translation>
    </message>
</context>
<context>
    <name>steelyard::ReportDesk</name>
    <message>
        <source>%1 bits per weight</source>
        <translation>%1 бит на вес</translation>
    </message>
    <message>
        <source>%1 (not compared)</source>
        <translation>%1 (не сравнивается)</translation>
    </message>
    <message>
        <source>%1 in %2, of which %3 are scored. What the reference says takes at most %4 on the disk.</source>
        <translation>%1, %2, из них оценивается %3. Ответы эталона займут на диске не больше %4.</translation>
    </message>
    <message numerus="yes">
        <source>%Ln token(s)</source>
        <translation>
            <numerusform>%Ln токен</numerusform>
            <numerusform>%Ln токена</numerusform>
            <numerusform>%Ln токенов</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln window(s)</source>
        <translation>
            <numerusform>%Ln окно</numerusform>
            <numerusform>%Ln окна</numerusform>
            <numerusform>%Ln окон</numerusform>
        </translation>
    </message>
    <message>
        <source>Measuring the speed of %1</source>
        <translation>Измеряется скорость: %1</translation>
    </message>
    <message>
        <source>the reference</source>
        <translation>эталон</translation>
    </message>
    <message>
        <source>Loading %1</source>
        <translation>Загружается %1</translation>
    </message>
    <message>
        <source>The reference reads window %1 of %2</source>
        <translation>Эталон читает окно %1 из %2</translation>
    </message>
    <message>
        <source>%1 reads window %2 of %3</source>
        <translation>%1 читает окно %2 из %3</translation>
    </message>
    <message>
        <source>about %1 left</source>
        <translation>осталось около %1</translation>
    </message>
</context>
<context>
    <name>steelyard::RunList</name>
    <message>
        <source>Comparison</source>
        <translation>Сравнение</translation>
    </message>
</context>
<context>
    <name>steelyard::SameTextView</name>
    <message>
        <source>below 0.1 %</source>
        <translation>ниже 0,1 %</translation>
    </message>
    <message>
        <source>below %1 nats</source>
        <translation>ниже %1 ната</translation>
    </message>
    <message>
        <source>from %1</source>
        <translation>от %1</translation>
    </message>
    <message>
        <source>first choice</source>
        <translation>первый выбор</translation>
    </message>
    <message>
        <source>2nd or 3rd</source>
        <translation>2-й или 3-й</translation>
    </message>
    <message>
        <source>4th to 10th</source>
        <translation>с 4-го по 10-й</translation>
    </message>
    <message>
        <source>later</source>
        <translation>дальше</translation>
    </message>
    <message>
        <source>reference</source>
        <translation>эталон</translation>
    </message>
    <message>
        <source>%1 nats on average</source>
        <translation>в среднем %1 ната</translation>
    </message>
    <message>
        <source>first choice %1</source>
        <translation>первый выбор %1</translation>
    </message>
    <message>
        <source>end of the reply</source>
        <translation>конец ответа</translation>
    </message>
    <message>
        <source>choice %1</source>
        <translation>выбор %1</translation>
    </message>
    <message>
        <source>%1 nats</source>
        <translation>%1 ната</translation>
    </message>
</context>
<context>
    <name>steelyard::SamplingModel</name>
    <message>
        <source>Exactly</source>
        <translation>Точно</translation>
    </message>
    <message>
        <source>This cannot be read, so it does not count: %1</source>
        <translation>Это не удалось прочесть, поэтому не учитывается: %1</translation>
    </message>
    <message>
        <source>Write or paste a grammar here; without one replies are free.</source>
        <translation>Напишите или вставьте сюда грамматику; без неё ответы свободны.</translation>
    </message>
    <message>
        <source>Write or paste a JSON schema here; without one replies are free.</source>
        <translation>Напишите или вставьте сюда схему JSON; без неё ответы свободны.</translation>
    </message>
</context>
<context>
    <name>steelyard::SettingsModel</name>
    <message>
        <source>Automatic</source>
        <translation>Автоматически</translation>
    </message>
    <message>
        <source>The fastest device that works</source>
        <translation>Самое быстрое из исправных</translation>
    </message>
    <message>
        <source>Not found on this computer</source>
        <translation>Нет на этом компьютере</translation>
    </message>
    <message>
        <source>on</source>
        <translation>вкл.</translation>
    </message>
    <message>
        <source>off</source>
        <translation>выкл.</translation>
    </message>
    <message>
        <source>none</source>
        <translation>нет</translation>
    </message>
</context>
<context>
    <name>steelyard::Store</name>
    <message>
        <source>%1 The chats are shown, but nothing new will be kept.</source>
        <translation>%1 Чаты показаны, но новое не сохранится.</translation>
    </message>
    <message>
        <source>%1 You can chat, but nothing will be kept.</source>
        <translation>%1 Беседовать можно, но ничего не сохранится.</translation>
    </message>
    <message>
        <source>The folder %1 cannot be made.</source>
        <translation>Не удаётся создать папку %1.</translation>
    </message>
    <message>
        <source>The folder %1 cannot be written.</source>
        <translation>В папку %1 нельзя писать.</translation>
    </message>
    <message>
        <source>%1 The file was left as it is: %2.</source>
        <translation>%1 Файл оставлен как есть: %2.</translation>
    </message>
    <message>
        <source>Another Steelyard (process %1 on %2) has the chats open.</source>
        <translation>Чаты уже открыл другой Steelyard (процесс %1 на %2).</translation>
    </message>
    <message>
        <source>There is no database to work with.</source>
        <translation>Базы данных для работы нет.</translation>
    </message>
</context>
<context>
    <name>steelyard::ThreadModel</name>
    <message>
        <source>Thinking</source>
        <translation>Думает</translation>
    </message>
    <message>
        <source>Thought for %1</source>
        <translation>Думала %1</translation>
    </message>
    <message>
        <source>Thought</source>
        <translation>Рассуждение</translation>
    </message>
</context>
<context>
    <name>steelyard::Transfer</name>
    <message>
        <source>This is a web page, not a model. Copy the address of the file itself (its download button).</source>
        <translation>Это веб-страница, а не модель. Скопируйте адрес самого файла (с кнопки скачивания).</translation>
    </message>
    <message>
        <source>This is a pointer to the model, not the model. Use the address with /resolve/ in it.</source>
        <translation>Это ссылка на модель, а не сама модель. Нужен адрес, в котором есть /resolve/.</translation>
    </message>
    <message>
        <source>The server answered with a message, not with a model. Check the address.</source>
        <translation>Сервер прислал сообщение, а не модель. Проверьте адрес.</translation>
    </message>
    <message>
        <source>This is not a GGUF file. Choose a file whose name ends in .gguf.</source>
        <translation>Это не файл GGUF. Выберите файл, имя которого оканчивается на .gguf.</translation>
    </message>
    <message>
        <source>The server sends %1 bytes, the hub announces %2.</source>
        <translation>Сервер присылает %1 Б, а хаб обещал %2.</translation>
    </message>
    <message>
        <source>There is not enough space: %1 are still to come, %2 are free. Free some space, then continue.</source>
        <translation>Не хватает места: осталось скачать %1, свободно %2. Освободите место и продолжите.</translation>
    </message>
    <message>
        <source>The server sends more than it announced, so this is not the published file. Try again later.</source>
        <translation>Сервер присылает больше, чем обещал, значит, это не тот файл. Повторите позже.</translation>
    </message>
    <message>
        <source>The server&apos;s answer makes no sense (%1).</source>
        <translation>Ответ сервера не имеет смысла (%1).</translation>
    </message>
    <message>
        <source>The server closed the connection before the end.</source>
        <translation>Сервер закрыл соединение раньше конца.</translation>
    </message>
    <message>
        <source>The server points to something that is no address of the web.</source>
        <translation>Сервер отсылает к тому, что не является веб-адресом.</translation>
    </message>
    <message>
        <source>The server points to an address without encryption. The download was stopped.</source>
        <translation>Сервер отсылает на адрес без шифрования. Скачивание остановлено.</translation>
    </message>
    <message>
        <source>The server sends the request round in a circle. Check the address.</source>
        <translation>Сервер гоняет запрос по кругу. Проверьте адрес.</translation>
    </message>
    <message>
        <source>The file holds only %1 bytes, so it is no model. Check the address.</source>
        <translation>В файле всего %1 Б, это не модель. Проверьте адрес.</translation>
    </message>
    <message>
        <source>What arrived is not the published file (its SHA-256 differs), so it was deleted. Try again.</source>
        <translation>Пришёл не тот файл (SHA-256 не совпала), поэтому он удалён. Повторите.</translation>
    </message>
    <message>
        <source>The file changes on the server while it is sent. Try again later.</source>
        <translation>Файл меняется на сервере во время передачи. Повторите позже.</translation>
    </message>
    <message>
        <source>%1 It was tried %2 times.</source>
        <translation>%1 Попыток: %2.</translation>
    </message>
    <message>
        <source>The server gives this file only to signed-in people (%1). Download it in a browser and add the file.</source>
        <translation>Сервер отдаёт этот файл только вошедшим (%1). Скачайте его в браузере и добавьте файл.</translation>
    </message>
    <message>
        <source>There is no file at this address (%1). Check its spelling.</source>
        <translation>По этому адресу нет файла (%1). Проверьте, верно ли он написан.</translation>
    </message>
    <message>
        <source>The server is busy or broken (%1).</source>
        <translation>Сервер занят или неисправен (%1).</translation>
    </message>
    <message>
        <source>The server refuses this request (%1). Check the address.</source>
        <translation>Сервер отклоняет запрос (%1). Проверьте адрес.</translation>
    </message>
    <message>
        <source>The server %1 was not found. Check the connection and the address.</source>
        <translation>Сервер %1 не найден. Проверьте соединение и адрес.</translation>
    </message>
    <message>
        <source>No trusted connection to %1 could be made. Check the date of this computer and its network.</source>
        <translation>Надёжное соединение с %1 не установлено. Проверьте дату на компьютере и сеть.</translation>
    </message>
    <message>
        <source>The request could not be made: %1</source>
        <translation>Запрос не удалось отправить: %1</translation>
    </message>
    <message>
        <source>The server %1 does not answer.</source>
        <translation>Сервер %1 не отвечает.</translation>
    </message>
    <message numerus="yes">
        <source>Nothing came for %n second(s).</source>
        <translation>
            <numerusform>%n секунду ничего не приходило.</numerusform>
            <numerusform>%n секунды ничего не приходило.</numerusform>
            <numerusform>%n секунд ничего не приходило.</numerusform>
        </translation>
    </message>
    <message>
        <source>The connection was lost.</source>
        <translation>Соединение прервалось.</translation>
    </message>
</context>
<context>
    <name>steelyard::VoteList</name>
    <message numerus="yes">
        <source>%Ln vote(s), all without a difference</source>
        <translation>
            <numerusform>%Ln голос, без разницы</numerusform>
            <numerusform>%Ln голоса, все без разницы</numerusform>
            <numerusform>%Ln голосов, все без разницы</numerusform>
        </translation>
    </message>
    <message>
        <source>between %1 and %2 % with 95 % confidence</source>
        <translation>от %1 до %2 % с достоверностью 95 %</translation>
    </message>
    <message>
        <source>even: %1 to %2</source>
        <translation>поровну: %1 на %2</translation>
    </message>
    <message>
        <source>%1 preferred in %2 of %3 votes</source>
        <translation>%1: предпочтён в %2 из %3 голосов</translation>
    </message>
    <message>
        <source>hardly by luck (%1 %)</source>
        <translation>едва ли случайно (%1 %)</translation>
    </message>
    <message>
        <source>may be luck (%1 %)</source>
        <translation>может быть случайностью (%1 %)</translation>
    </message>
</context>
</TS>
