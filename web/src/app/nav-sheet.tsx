// The navigation of small screens: a sheet from the left that closes with the choice.

import type { Role } from '@redpack/contract'
import { Link } from '@tanstack/react-router'
import { Shield } from 'lucide-react'
import { isStaff } from '../features/session/queries.ts'
import { brand } from '../lib/brand.ts'
import { Dialog } from '../ui/overlay/dialog.tsx'
import { type NavPlace, navPlaces, ShopLink } from './nav-links.tsx'

const adminPlace: NavPlace = { to: '/admin', label: 'Admin Panel', Icon: Shield }

const row =
  'flex min-h-12 w-full items-center gap-3 rounded-control px-3 text-lg text-ink no-underline hover:bg-raised aria-[current=page]:bg-raised aria-[current=page]:font-semibold aria-[current=page]:shadow-[inset_3px_0_0_var(--primary-graphic)]'

interface NavSheetProps {
  readonly role: Role
  readonly isOpen: boolean
  readonly onOpenChange: (isOpen: boolean) => void
}

export function NavSheet({ role, isOpen, onOpenChange }: NavSheetProps) {
  const places = isStaff(role) ? [...navPlaces, adminPlace] : navPlaces
  const close = () => onOpenChange(false)
  return (
    <Dialog
      shape="left"
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      title={brand.name}
      description="Navigate to any page quickly"
    >
      <nav aria-label="Pages">
        <ul className="-mx-3 grid gap-1">
          {places.map(({ to, label, Icon }) => (
            <li key={label}>
              <Link to={to} onClick={close} className={row}>
                <Icon className="size-6 flex-none" />
                {label}
              </Link>
            </li>
          ))}
          <li className="mt-2 border-t border-line pt-2">
            <ShopLink onClick={close} className={row} />
          </li>
        </ul>
      </nav>
    </Dialog>
  )
}
