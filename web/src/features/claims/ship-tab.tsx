// The Prize Claims tab: the claims, and what is sent for them.

import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { Skeleton } from '../../ui/feedback/state.tsx'
import { Tabs } from '../../ui/layout/tabs.tsx'
import { ClaimsPanel } from './claims-panel.tsx'
import { viewOfTab } from './ship-views.ts'

const ShippingPanel = lazy(async () => ({
  default: (await import('./ship-panel.tsx')).ShippingPanel,
}))
const PackingSession = lazy(async () => ({
  default: (await import('./ship-packing.tsx')).PackingSession,
}))

export function ClaimsTab() {
  const { view } = useSearch({ strict: false }) as { readonly view?: unknown }
  const navigate = useNavigate()
  const open = (next: string) =>
    void navigate({
      to: '.',
      search: viewOfTab(next === 'shipping' ? 'shipping' : undefined) as never,
    })
  const waiting = <Skeleton className="h-96" />
  if (view === 'packing') {
    return (
      <Suspense fallback={waiting}>
        <PackingSession />
      </Suspense>
    )
  }
  const shipping = (
    <Suspense fallback={waiting}>
      <ShippingPanel />
    </Suspense>
  )
  return (
    <div className="min-w-0">
      <Tabs
        label="Views of prize claims"
        value={view === 'shipping' ? 'shipping' : 'claims'}
        onChange={open}
        tabs={[
          { value: 'claims', label: 'Claims', content: <ClaimsPanel /> },
          { value: 'shipping', label: 'Shipping', content: shipping },
        ]}
      />
    </div>
  )
}
