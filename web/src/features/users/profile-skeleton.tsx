// The shape of the profile while it loads.

import { Card } from '../../ui/card.tsx'
import { Loading, Skeleton } from '../../ui/skeleton.tsx'

export function ProfileSkeleton() {
  return (
    <Loading
      label="Loading your profile"
      className="grid gap-6 lg:grid-cols-[minmax(0,22rem)_minmax(0,1fr)] lg:items-start"
    >
      <div className="grid gap-6">
        <Card className="grid justify-items-center gap-3">
          <Skeleton className="size-24 rounded-full" />
          <Skeleton className="h-8 w-40" />
          <Skeleton className="h-5 w-24" />
          <Skeleton className="mt-4 h-28 w-full" />
        </Card>
        <Card className="grid gap-4">
          <Skeleton className="h-7 w-40" />
          <Skeleton className="h-24 w-full" />
        </Card>
      </div>
      <Card className="grid gap-5">
        <Skeleton className="h-7 w-52" />
        <Skeleton className="h-11 w-full" />
        <Skeleton className="h-11 w-full" />
        <Skeleton className="h-28 w-full" />
        <Skeleton className="h-11 w-full" />
      </Card>
    </Loading>
  )
}
