// The Settings tab: the eight colours of the product, and what a losing pack pays.

import { useQuery } from '@tanstack/react-query'
import {
  askAgain,
  LoadErrorCard,
  Loading,
  Skeleton,
  SlowNote,
} from '../../ui/feedback/data-state.tsx'
import { PanelTitle } from '../../ui/layout/headings.tsx'
import { ConsolationCard } from './consolation-card.tsx'
import { savedThemeQuery } from './queries.ts'
import { ThemeForm } from './theme-form.tsx'

export function ThemePanel() {
  const theme = useQuery(savedThemeQuery)
  const { data, error } = theme
  return (
    <section aria-labelledby="theme-heading">
      <PanelTitle id="theme-heading">Color Theme</PanelTitle>
      <p className="mb-6 text-muted">
        Everyone sees it: open pages change at once, others with their next visit.
      </p>
      {data ? (
        <ThemeForm saved={data} />
      ) : error ? (
        <LoadErrorCard title="Error loading the color theme" {...askAgain(theme)} />
      ) : (
        <Loading label="Loading the color theme" className="grid gap-6">
          <Skeleton className="h-40 w-full" />
          <Skeleton className="h-96 w-full" />
          <SlowNote what="the color theme" />
        </Loading>
      )}
      <ConsolationCard />
    </section>
  )
}
