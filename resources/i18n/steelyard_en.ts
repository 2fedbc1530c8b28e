<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>ContextFullSheet</name>
    <message numerus="yes">
        <source>%Ln token(s)</source>
        <translation>
            <numerusform>%Ln token</numerusform>
            <numerusform>%Ln tokens</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>To make room, the %Ln oldest message(s) (%1) would be left out.</source>
        <translation>
            <numerusform>To make room, the oldest message (%1) would be left out.</numerusform>
            <numerusform>To make room, the %Ln oldest messages (%1) would be left out.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>FootRow</name>
    <message numerus="yes">
        <source>To go on, the %Ln oldest message(s) could be left out.</source>
        <translation>
            <numerusform>To go on, the oldest message could be left out.</numerusform>
            <numerusform>To go on, the %Ln oldest messages could be left out.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>LevelSheet</name>
    <message numerus="yes">
        <source>Make %n level(s)</source>
        <translation>
            <numerusform>Make %n level</numerusform>
            <numerusform>Make %n levels</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>LibraryHeader</name>
    <message numerus="yes">
        <source>%n model(s)</source>
        <translation>
            <numerusform>%n model</numerusform>
            <numerusform>%n models</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ReplyFiguresText</name>
    <message numerus="yes">
        <source>%Ln token(s)</source>
        <translation>
            <numerusform>%Ln token</numerusform>
            <numerusform>%Ln tokens</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>without the %Ln oldest message(s)</source>
        <translation>
            <numerusform>without the oldest message</numerusform>
            <numerusform>without the %Ln oldest messages</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Waiting for its turn (%Ln before it)</source>
        <translation>
            <numerusform>Waiting for its turn (%Ln before it)</numerusform>
            <numerusform>Waiting for its turn (%Ln before it)</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ReplySheet</name>
    <message numerus="yes">
        <source>%Ln prompt token(s)</source>
        <translation>
            <numerusform>%Ln prompt token</numerusform>
            <numerusform>%Ln prompt tokens</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln token(s) read</source>
        <translation>
            <numerusform>%Ln token read</numerusform>
            <numerusform>%Ln tokens read</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln token(s)</source>
        <translation>
            <numerusform>%Ln token</numerusform>
            <numerusform>%Ln tokens</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln message(s)</source>
        <translation>
            <numerusform>%Ln message</numerusform>
            <numerusform>%Ln messages</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln token(s); the context was full, so the oldest turns were left out.</source>
        <translation>
            <numerusform>%Ln token; the context was full, so the oldest turns were left out.</numerusform>
            <numerusform>%Ln tokens; the context was full, so the oldest turns were left out.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln token(s) read by another device</source>
        <translation>
            <numerusform>%Ln token read by another device</numerusform>
            <numerusform>%Ln tokens read by another device</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>ReportTables</name>
    <message numerus="yes">
        <source>%Ln token(s)</source>
        <translation>
            <numerusform>%Ln token</numerusform>
            <numerusform>%Ln tokens</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln window(s)</source>
        <translation>
            <numerusform>%Ln window</numerusform>
            <numerusform>%Ln windows</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>steelyard::ChatDesk</name>
    <message numerus="yes">
        <source>%Ln running</source>
        <translation>
            <numerusform>%Ln running</numerusform>
            <numerusform>%Ln running</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln waiting</source>
        <translation>
            <numerusform>%Ln waiting</numerusform>
            <numerusform>%Ln waiting</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>steelyard::CompareAnswer</name>
    <message numerus="yes">
        <source>the same for %Ln word(s)</source>
        <translation>
            <numerusform>the same for %Ln word</numerusform>
            <numerusform>the same for %Ln words</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln difference(s)</source>
        <translation>
            <numerusform>%Ln difference</numerusform>
            <numerusform>%Ln differences</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>How fast the prompt of %Ln token(s) was read.</source>
        <translation>
            <numerusform>How fast the prompt of %Ln token was read.</numerusform>
            <numerusform>How fast the prompt of %Ln tokens was read.</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>How fast the answer of %Ln token(s) was written.</source>
        <translation>
            <numerusform>How fast the answer of %Ln token was written.</numerusform>
            <numerusform>How fast the answer of %Ln tokens was written.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>steelyard::DownloadList</name>
    <message numerus="yes">
        <source>%n second(s) left</source>
        <translation>
            <numerusform>%n second left</numerusform>
            <numerusform>%n seconds left</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n minute(s) left</source>
        <translation>
            <numerusform>%n minute left</numerusform>
            <numerusform>%n minutes left</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n hour(s) left</source>
        <translation>
            <numerusform>%n hour left</numerusform>
            <numerusform>%n hours left</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>steelyard::LevelMaker</name>
    <message numerus="yes">
        <source>%Ln more after it</source>
        <translation>
            <numerusform>%Ln more after it</numerusform>
            <numerusform>%Ln more after it</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>steelyard::MeasureText</name>
    <message numerus="yes">
        <source>%Ln chat(s), the newest first</source>
        <translation>
            <numerusform>%Ln chat, the newest first</numerusform>
            <numerusform>%Ln chats, the newest first</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>steelyard::MemoryModel</name>
    <message numerus="yes">
        <source>%Ln token(s)</source>
        <translation>
            <numerusform>%Ln token</numerusform>
            <numerusform>%Ln tokens</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln token(s) used</source>
        <translation>
            <numerusform>%Ln token used</numerusform>
            <numerusform>%Ln tokens used</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>the model itself ends at %Ln token(s)</source>
        <translation>
            <numerusform>the model itself ends at %Ln token</numerusform>
            <numerusform>the model itself ends at %Ln tokens</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>at most %Ln token(s) fit</source>
        <translation>
            <numerusform>at most %Ln token fits</numerusform>
            <numerusform>at most %Ln tokens fit</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>steelyard::ModelList</name>
    <message numerus="yes">
        <source>%Ln byte(s)</source>
        <translation>
            <numerusform>%Ln byte</numerusform>
            <numerusform>%Ln bytes</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>steelyard::ReportDesk</name>
    <message numerus="yes">
        <source>%Ln token(s)</source>
        <translation>
            <numerusform>%Ln token</numerusform>
            <numerusform>%Ln tokens</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%Ln window(s)</source>
        <translation>
            <numerusform>%Ln window</numerusform>
            <numerusform>%Ln windows</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>steelyard::Transfer</name>
    <message numerus="yes">
        <source>Nothing came for %n second(s).</source>
        <translation>
            <numerusform>Nothing came for %n second.</numerusform>
            <numerusform>Nothing came for %n seconds.</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>steelyard::VoteList</name>
    <message numerus="yes">
        <source>%Ln vote(s), all without a difference</source>
        <translation>
            <numerusform>%Ln vote, without a difference</numerusform>
            <numerusform>%Ln votes, all without a difference</numerusform>
        </translation>
    </message>
</context>
</TS>
