# cmake -DOUTPUT=file.c -DSYMBOL=name -DFILES="a;b" -P EmbedFiles.cmake
# Writes a C file with the bytes of the files and the table of them, const struct embedded_file SYMBOL[]. A zero byte
# follows the bytes of each file. The last entry of the table has no name.
set(text "#include \"program/file/embedded.h\"\n\n")
set(table "")
set(n 0)
foreach(file ${FILES})
  file(READ ${file} hex HEX)
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
  string(REGEX REPLACE "(0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,0x..,)" "\\1\n"
    bytes "${bytes}")
  get_filename_component(name ${file} NAME)
  string(APPEND text "static const unsigned char ${SYMBOL}_${n}[] = {\n${bytes}0x00};\n")
  string(APPEND table "    {\"${name}\", ${SYMBOL}_${n}, sizeof ${SYMBOL}_${n} - 1},\n")
  math(EXPR n "${n} + 1")
endforeach()
file(WRITE ${OUTPUT} "${text}\nconst struct embedded_file ${SYMBOL}[] = {\n${table}    {0, 0, 0}};\n")
