# Writes the texts of one language as a module: cmake -Doutput=FILE -Dtexts=FILE;FILE -P texts_module.cmake

set(objects "")
foreach(file IN LISTS texts)
  file(READ "${file}" text)
  string(STRIP "${text}" text)
  string(APPEND objects ", ${text}")  # what is JSON is JavaScript, too
endforeach()
file(WRITE "${output}" "// Made of src/texts by tools/cmake/texts_module.cmake.\nexport default Object.assign({}${objects});\n")
