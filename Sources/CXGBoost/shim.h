/// The C interface of XGBoost, which `Learned` trains by. Only the trait Learned needs it: Debian's libxgboost-dev.
#ifndef EVICTIONLAB_XGBOOST_H
#define EVICTIONLAB_XGBOOST_H

#include <xgboost/c_api.h>

#endif
