const base='http://localhost:5310'
const r=await fetch(base+'/api/auth/local',{method:'POST',headers:{origin:base,'content-type':'application/json'},body:JSON.stringify({username:'keeper',password:'a-long-password-1'})})
const cookie=r.headers.getSetCookie().map(c=>c.split(';')[0]).join('; ')
const me=await (await fetch(base+'/api/auth/user',{headers:{cookie}})).json(); console.log(JSON.stringify(me).slice(0,150))
const id=me.id??me.user?.id
for(const packTypeId of [1,2,3]){const g=await fetch(base+'/api/admin/distribute-packs',{method:'POST',headers:{cookie,origin:base,'content-type':'application/json','idempotency-key':crypto.randomUUID()},body:JSON.stringify({allUsers:true,packTypeId,quantity:20})});console.log(g.status,(await g.text()).slice(0,120))}
