// The arrows of the house: which file may import which, as patterns, so that a new feature is
// guarded from its first file on. `tools/tidy.test.ts` runs them and plants a fault for each.

import { contractArrows, serverArrows } from './tools/tidy/server-arrows.mjs'
import { sharedArrows } from './tools/tidy/shared-arrows.mjs'
import { webArrows } from './tools/tidy/web-arrows.mjs'

export default {
  forbidden: [...contractArrows, ...serverArrows, ...webArrows, ...sharedArrows],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|data|coverage)/' },
    tsPreCompilationDeps: true,
    combinedDependencies: false,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.d.ts', '.mjs', '.js', '.css'],
    },
  },
}
