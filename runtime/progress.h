/* SPDX-License-Identifier: MIT */
/* progress.h - what long work shows of itself on a terminal. NULL is fine: nothing is shown. */
#ifndef VAPL_PROGRESS_H
#define VAPL_PROGRESS_H
#include "session.h"

progress *progress_new(session *s);      /* NULL: there is none */
void progress_free(progress *p);         /* not its memory, which is the session's */
void progress_set(progress *p, bool on); /* work begins, or ends */
void progress_lock(progress *p);         /* between these two something else is written */
void progress_unlock(progress *p);
#endif
