# What every target of the tree shares: language level, warnings, sanitizers, and the functions that declare
# a library or a test, so that a folder's CMakeLists.txt is a list of its sources and of what it may include.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

find_program(STEELYARD_CCACHE ccache)
if(STEELYARD_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${STEELYARD_CCACHE})
endif()

add_library(steelyard_options INTERFACE)
if(MSVC)
  target_compile_options(steelyard_options INTERFACE /W4 /WX /permissive- /utf-8)
else()
  target_compile_options(steelyard_options INTERFACE -Wall -Wextra -Wpedantic -Werror -Wno-psabi -fno-math-errno)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU") # g++ 12 warns of "text" + std::string() without a cause (its bug 105651)
    target_compile_options(steelyard_options INTERFACE -Wno-restrict)
  endif()
endif()
if(STEELYARD_SANITIZE)
  target_compile_options(steelyard_options INTERFACE -fsanitize=${STEELYARD_SANITIZE} -fno-omit-frame-pointer)
  target_link_options(steelyard_options INTERFACE -fsanitize=${STEELYARD_SANITIZE})
endif()
if(STEELYARD_FUZZ)
  # Every library reports what it covered; only the fuzzers themselves link libFuzzer's main function.
  target_compile_options(steelyard_options INTERFACE -fsanitize=fuzzer-no-link)
endif()

find_package(Threads REQUIRED)

# steelyard_library(name SOURCES a.cpp ... [LINKS targets that its headers show] [PRIVATE targets that only its sources use])
# declares a static library; includes are written from the top of the tree ("engine/core/result.h").
function(steelyard_library name)
  cmake_parse_arguments(L "" "" "SOURCES;LINKS;PRIVATE" ${ARGN})
  add_library(${name} STATIC ${L_SOURCES})
  target_include_directories(${name} PUBLIC ${PROJECT_SOURCE_DIR})
  target_link_libraries(${name} PUBLIC ${L_LINKS} PRIVATE steelyard_options ${L_PRIVATE})
endfunction()

# steelyard_headers(name [LINKS ...]) declares a library of headers only.
function(steelyard_headers name)
  cmake_parse_arguments(L "" "" "LINKS" ${ARGN})
  add_library(${name} INTERFACE)
  target_include_directories(${name} INTERFACE ${PROJECT_SOURCE_DIR})
  target_link_libraries(${name} INTERFACE ${L_LINKS})
endfunction()

# steelyard_test(name SOURCES name.cpp ... LINKS targets [SERIAL]) declares a Qt Test program and its ctest entry; a SERIAL one
# runs alone, since it keeps the whole machine busy. The output goes to results/name.txt in the build folder too, where
# tests/run.sh counts the test functions.
function(steelyard_test name)
  cmake_parse_arguments(T "SERIAL" "" "SOURCES;LINKS" ${ARGN})
  add_executable(${name} ${T_SOURCES})
  set_target_properties(${name} PROPERTIES AUTOMOC ON)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(${name} PRIVATE steelyard_options Qt6::Core Qt6::Test ${T_LINKS})
  target_compile_definitions(${name} PRIVATE STEELYARD_TEST_DATA="${PROJECT_SOURCE_DIR}/tests/data"
                                             STEELYARD_SHARED_CONFORMANCE="${PROJECT_SOURCE_DIR}/../shared/conformance")
  file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/results")
  add_test(NAME ${name} COMMAND ${name} -o "${PROJECT_BINARY_DIR}/results/${name}.txt,txt" -o -,txt)
  # Hang guards, not promises: of the program, and of each of its functions, for which Qt Test has five minutes of its own.
  set(timeout 1500)
  math(EXPR functionTimeoutMs "${timeout} * 1000")
  set_tests_properties(${name} PROPERTIES TIMEOUT ${timeout} RUN_SERIAL "${T_SERIAL}"
                       ENVIRONMENT "QTEST_FUNCTION_TIMEOUT=${functionTimeoutMs}")
endfunction()
