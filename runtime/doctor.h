/* SPDX-License-Identifier: MIT */
/* doctor.h - devices listed and examined. Exit codes. */
#ifndef VAPL_DOCTOR_H
#define VAPL_DOCTOR_H
#include "session.h"

int list_devices(session *s);
/* Each trial of a driver or a device may take so many seconds; 0: 20. */
int run_doctor(session *s, double seconds);
#endif
