import { play } from './play.ts'
const [seed, days, viewers, severity] = process.argv.slice(2)
const played = await play({ seed: Number(seed), days: Number(days), viewers: Number(viewers), severity: severity as 'none' }, { onLine: process.env['V'] ? console.log : undefined, onProgress: console.log })
console.log(played.acts, played.seconds, played.acts / played.seconds, played.story.digest(), [...played.faults], played.crashes, played.logEntries)
if (played.failure) { console.log(played.failure.message, played.story.lastSteps(played.failure.people)); process.exitCode = 1 }
console.log(process.memoryUsage().rss / 1e6)
process.exit()
