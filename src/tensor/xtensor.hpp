// Includes xtensor 0.24 to 0.27; since 0.26 its headers lie in folders. Slow to compile: include it
// in few files.
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
