<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
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
    <name>steelyard::Transfer</name>
    <message numerus="yes">
        <source>Nothing came for %n second(s).</source>
        <translation>
            <numerusform>Nothing came for %n second.</numerusform>
            <numerusform>Nothing came for %n seconds.</numerusform>
        </translation>
    </message>
</context>
</TS>
