import { play } from './play.ts'
import { World } from './world.ts'
for (let i=0;i<4;i++){ const t=performance.now(); const w = await World.open('none'); const t2=performance.now(); await w.restart(1); const t3=performance.now(); await w.close(); console.log(t2-t, t3-t2, performance.now()-t3)}
for (const seed of [1,1,2,3]) { const t=performance.now(); const p = await play({seed, days:3, viewers:20, severity: 'none'}); console.log(seed, p.acts, p.acts/p.seconds, p.story.digest().slice(0,8), p.failure?.message, performance.now()-t) }
console.log(process.memoryUsage().rss/1e6)
process.exit(0)
