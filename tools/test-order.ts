// In which order test files run: those of one project after the other, since the next project needs
// workers of its own.

import { BaseSequencer, type TestSpecification } from 'vitest/node'

export class ProjectByProject extends BaseSequencer {
  /** Within a project the longest first, as far as their times are known. */
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const names = [...new Set(sorted.map(({ project }) => project.name))]
    return names.flatMap((name) => sorted.filter(({ project }) => project.name === name))
  }
}
