// The way out of the app, to the shop.

import { ExternalLink } from 'lucide-react'
import { brand } from '../lib/brand.ts'

export interface ShopLinkProps {
  readonly className: string
  readonly onClick?: () => void
}

export function ShopLink({ className, onClick }: ShopLinkProps) {
  return (
    <a
      href={brand.shopUrl}
      target="_blank"
      rel="noopener noreferrer"
      onClick={onClick}
      className={className}
    >
      Get More Packs
      <ExternalLink aria-hidden="true" className="size-4 flex-none lg:max-xl:hidden" />
      <span className="sr-only">(opens in a new tab)</span>
    </a>
  )
}
