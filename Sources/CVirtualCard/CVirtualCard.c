#include "CVirtualCard.h"
