# add_op(stem) declares an op: its contract, its kernels, its shader and its rows of the op test must exist under the one
# stem; configuring stops with the name of what is missing. The kernels are then built by all targets that want them:
#   kernels_emulated     the .cu files by the ordinary compiler, run by the emulator (builds with tests)
#   kernels_cuda         the same files by nvcc (STEELYARD_CUDA)
#   kernels_nvcc_check   the same files by nvcc for two architectures, one format per product class, nothing linked
# nvcc is called by plain custom commands, so that no build needs CUDA as a language.

define_property(GLOBAL PROPERTY STEELYARD_OPS BRIEF_DOCS "Stems of all ops")

function(add_op stem)
  set(top ${PROJECT_SOURCE_DIR})
  foreach(file kernels/ops/${stem}.h kernels/ops/${stem}.cu shaders/ops/${stem}.comp)
    if(NOT EXISTS ${top}/${file})
      message(FATAL_ERROR "The op ${stem} lacks ${file}.")
    endif()
  endforeach()
  string(REPLACE "_" ";" words ${stem})
  set(type "")
  foreach(word ${words})
    string(SUBSTRING ${word} 0 1 first)
    string(SUBSTRING ${word} 1 -1 rest)
    string(TOUPPER ${first} first)
    string(APPEND type ${first}${rest})
  endforeach()
  file(GLOB tests ${top}/tests/ops/*_cases.cpp)
  set(found FALSE)
  foreach(test ${tests})
    file(STRINGS ${test} lines REGEX "ops::${type}[^A-Za-z]")
    if(lines)
      set(found TRUE)
    endif()
  endforeach()
  if(NOT found)
    message(FATAL_ERROR "The op ${stem} lacks a row in tests/ops: no *_cases.cpp there names ops::${type}.")
  endif()
  set_property(GLOBAL APPEND PROPERTY STEELYARD_OPS ${stem})
endfunction()

# The .cu files of all ops, with one file per format for the product; `formats` limits the formats ("" = all).
function(steelyard_kernel_sources result formats)
  get_property(stems GLOBAL PROPERTY STEELYARD_OPS)
  set(sources "")
  foreach(stem ${stems})
    list(APPEND sources ${CMAKE_CURRENT_SOURCE_DIR}/ops/${stem}.cu)
  endforeach()
  if(NOT formats)
    file(GLOB formats RELATIVE ${CMAKE_CURRENT_SOURCE_DIR}/quant CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/quant/*.cuh)
    list(TRANSFORM formats REPLACE "\\.cuh$" "")
  endif()
  foreach(format ${formats})
    string(TOUPPER ${format} type)
    set(source ${CMAKE_CURRENT_BINARY_DIR}/formats/mat_mul_${format}.cu)
    file(CONFIGURE OUTPUT ${source} CONTENT
"// Generated: the products for one format.
#include \"kernels/ops/expert_mat_mul.cuh\"
#include \"kernels/quant/${format}.cuh\"

template struct steelyard::kernels::MatMulFormat<steelyard::kernels::Target, steelyard::kernels::${type}>;
")
    list(APPEND sources ${source})
  endforeach()
  set(${result} ${sources} PARENT_SCOPE)
endfunction()

# Compiles .cu files with nvcc into `folder`; gives the object files. Further arguments are nvcc's.
function(steelyard_nvcc_objects result folder sources)
  set(objects "")
  set(launcher "")
  if(STEELYARD_CCACHE)
    set(launcher ${STEELYARD_CCACHE})
  endif()
  file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/${folder})
  foreach(source ${sources})
    get_filename_component(stem ${source} NAME_WE)
    set(object ${CMAKE_CURRENT_BINARY_DIR}/${folder}/${stem}${CMAKE_CXX_OUTPUT_EXTENSION})
    add_custom_command(
      OUTPUT ${object}
      COMMAND ${launcher} ${STEELYARD_NVCC} -std=c++20 -O3 -Werror all-warnings ${STEELYARD_NVCC_HOST_FLAGS} -I${PROJECT_SOURCE_DIR}
              ${ARGN} -MD -MF ${object}.d -MT ${object} -c ${source} -o ${object}
      DEPENDS ${source}
      DEPFILE ${object}.d
      COMMENT "nvcc ${folder}/${stem}"
      VERBATIM)
    list(APPEND objects ${object})
  endforeach()
  set(${result} ${objects} PARENT_SCOPE)
endfunction()
