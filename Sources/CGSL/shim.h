/// The parts of the GNU Scientific Library that `Statistics` uses, and its global variables as functions.
#ifndef EVICTIONLAB_GSL_H
#define EVICTIONLAB_GSL_H

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_integration.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <gsl/gsl_roots.h>
#include <gsl/gsl_sf_bessel.h>
#include <gsl/gsl_sf_zeta.h>
#include <gsl/gsl_statistics_double.h>

/// Brent's method.
static inline const gsl_root_fsolver_type *evl_gsl_brent(void) { return gsl_root_fsolver_brent; }

/// The Mersenne twister.
static inline const gsl_rng_type *evl_gsl_mt19937(void) { return gsl_rng_mt19937; }

#endif
