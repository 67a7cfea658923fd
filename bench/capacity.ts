// What ten thousand, a hundred thousand and a million viewers at once need: the table of
// docs/capacity.md, from the costs of one of each thing.

import { capacityHabits, capacityUnits, sizes } from './capacity-figures.ts'
import { needOf } from './capacity-sums.ts'
import { writeResults } from './results.ts'

const rows = sizes.map((viewers) => ({
  viewers,
  ...needOf(viewers, capacityHabits, capacityUnits),
}))
for (const row of rows) console.log(JSON.stringify(row))
await writeResults('capacity', { habits: capacityHabits, costs: capacityUnits, rows })
