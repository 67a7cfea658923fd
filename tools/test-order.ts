// The order of test files: project by project, since each project needs its own workers.

import { BaseSequencer, type TestSpecification } from 'vitest/node'

export class ProjectByProject extends BaseSequencer {
  /** Within a project the longest first, as far as their times are known. */
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const names = [...new Set(sorted.map(({ project }) => project.name))]
    return names.flatMap((name) => sorted.filter(({ project }) => project.name === name))
  }
}
