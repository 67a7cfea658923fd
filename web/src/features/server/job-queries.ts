// What the Jobs tab asks the server: every job with its last run and its next.

import { adminJobsContract, type JobList } from '@redpack/contract'
import { useQuery } from '@tanstack/react-query'
import { endpointQuery } from '../../lib/endpoint-query.ts'

const jobsMs = 5_000

export function useJobs() {
  return useQuery<JobList>({
    ...endpointQuery(adminJobsContract.list, { shows: [], isNeeded: true }),
    refetchInterval: jobsMs,
  })
}
