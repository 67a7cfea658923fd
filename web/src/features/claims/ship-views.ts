// The views of the Prize Claims tab, as the address names them.

import type { LinkProps } from '@tanstack/react-router'

/** Leads to a view of the tab, without the filters of the one before. */
export function viewOfTab(view?: 'shipping' | 'packing'): LinkProps['search'] {
  return (({ tab }: { readonly tab?: unknown }) => ({ tab, view })) as LinkProps['search']
}
