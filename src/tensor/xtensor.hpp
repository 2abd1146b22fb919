// xtensor, whichever of its versions is installed: 0.24 and 0.25 have their headers side by side,
// 0.26 and later in folders. Included by few files, since it costs compile time.
#pragma once

#include <cstdlib>

// Without exceptions xtensor reports errors through iostream, which would more than double the web
// build.
#if __has_include(<xtensor/core/xtensor_config.hpp>)
#include <xtensor/core/xtensor_config.hpp>
#else
#include <xtensor/xtensor_config.hpp>
#endif
#if !defined(__cpp_exceptions)
#undef XTENSOR_THROW
#define XTENSOR_THROW(exception, message) std::abort()
#endif

#if __has_include(<xtensor/containers/xtensor.hpp>)
#include <xtensor/containers/xadapt.hpp>
#include <xtensor/containers/xtensor.hpp>
#include <xtensor/core/xmath.hpp>
#include <xtensor/core/xnoalias.hpp>
#else
#include <xtensor/xadapt.hpp>
#include <xtensor/xmath.hpp>
#include <xtensor/xnoalias.hpp>
#include <xtensor/xtensor.hpp>
#endif
