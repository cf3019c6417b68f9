#include "CSkewedClock.h"
