// The shape of the profile while it loads.

import { Loading, Skeleton } from '../../ui/feedback/data-state.tsx'
import { Card } from '../../ui/layout/card.tsx'

export function ProfileSkeleton() {
  return (
    <Loading label="Loading your profile">
      <Card className="flex items-center gap-6">
        <Skeleton className="size-16 flex-none rounded-full sm:size-20" />
        <div className="grid gap-2">
          <Skeleton className="h-7 w-40" />
          <Skeleton className="h-5 w-24" />
        </div>
      </Card>
      <div className="mt-6 grid grid-cols-1 gap-6 lg:grid-cols-[minmax(0,24rem)_minmax(0,1fr)] lg:items-start">
        <div className="grid grid-cols-1 gap-6">
          <Card className="grid gap-4">
            <Skeleton className="h-7 w-40" />
            <Skeleton className="h-44 w-full" />
          </Card>
          <Card className="grid gap-4">
            <Skeleton className="h-7 w-52 max-w-full" />
            <Skeleton className="h-24 w-full" />
          </Card>
        </div>
        <Card className="grid gap-5">
          <Skeleton className="h-7 w-52 max-w-full" />
          <Skeleton className="h-11 w-full" />
          <Skeleton className="h-11 w-full" />
          <Skeleton className="h-28 w-full" />
          <Skeleton className="h-11 w-full" />
        </Card>
      </div>
    </Loading>
  )
}
