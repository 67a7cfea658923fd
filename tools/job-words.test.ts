// The jobs panel has words for each job of the product, and for no other.

import { expect, it } from 'vitest'
import { productJobs } from '../server/src/jobs.ts'
import { jobTexts } from '../web/src/features/server/job-words.ts'

it('are there for every job, and none is for a job that is gone', () => {
  const jobs = productJobs().map(({ name }) => name)
  expect(Object.keys(jobTexts).toSorted()).toEqual(jobs.toSorted())
})
