// The one translation unit that holds volk's code (VOLK_IMPLEMENTATION comes from the build).
#include <volk.h>
