// The staff page of jobs over HTTP.

import { adminJobsContract } from '@redpack/contract'
import { serve } from '../../adapters/http/endpoint-routes.ts'
import type { FeatureContext } from '../../adapters/http/feature-context.ts'
import { jobList } from './job-views.ts'

export function registerJobs({ app, deps, guards }: FeatureContext): void {
  serve(app, guards, adminJobsContract.list, () => jobList(deps.db, deps.clock.now()))
}
