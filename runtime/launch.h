/* SPDX-License-Identifier: MIT */
/* launch.h - vapl -n N. */
#ifndef VAPL_LAUNCH_H
#define VAPL_LAUNCH_H
#include "options.h"

/* Starts N processes by mpirun and keeps the terminal for them, in a session (`typed`) its line editor, until they
 * have ended. Their exit code. */
int launch(session *s, const options *o, bool typed);
#endif
