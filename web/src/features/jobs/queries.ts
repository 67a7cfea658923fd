// What the Jobs tab asks the server: every job with its last run and its next.

import { adminJobsContract, type JobList } from '@redpack/contract'
import { useQuery } from '@tanstack/react-query'
import { call } from '../../lib/api.ts'

const jobsMs = 5_000

export function useJobs() {
  return useQuery<JobList>({
    queryKey: [adminJobsContract.list.path],
    queryFn: ({ signal }) => call(adminJobsContract.list, { signal }),
    refetchInterval: jobsMs,
  })
}
