/* SPDX-License-Identifier: MIT */
/* vapl_mpi.h - the engine of vapl_comm.h that is made of MPI: vapl-mpi.so, which `make mpi` builds
 * with the machine's mpicc. Nothing links it: open it with dlopen(…, RTLD_NOW | RTLD_LOCAL).
 *
 * The tables live until the process ends. MPI is used by one thread at a time.
 * On failure a function returns NULL and writes a sentence of at most n bytes into `why`. */
#ifndef VAPL_MPI_H
#define VAPL_MPI_H
#include "vapl_comm.h"

#if defined(__GNUC__) || defined(__clang__)
#define VAPL_MPI_API __attribute__((visibility("default")))
#else
#define VAPL_MPI_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef const vapl_comm *vapl_mpi_world_fn(char *why, size_t n);

/* All processes that mpirun (or srun) started. Begins MPI if nobody has; then MPI ends when the process
 * calls exit. NULL, too, if several copies were started, each of which MPI believes to be alone. */
VAPL_MPI_API const vapl_comm *vapl_mpi_world(char *why, size_t n);

/* For a program that has begun MPI and includes <mpi.h> before this file: a table over the processes of
 * `comm`, which all make this call. Messages of the table meet no others of the program. */
#ifdef MPI_VERSION
VAPL_MPI_API const vapl_comm *vapl_mpi_comm(MPI_Comm comm, char *why, size_t n);
#endif

#ifdef __cplusplus
}
#endif
#endif
