// Links in the look of buttons: inside the app, and out of it.

import { Link, type LinkProps } from '@tanstack/react-router'
import { Download, ExternalLink, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { cn } from '../../lib/class-names.ts'
import { type ButtonLook, buttonLook } from './button.tsx'

export interface LinkButtonProps extends ButtonLook {
  readonly to: LinkProps['to']
  readonly search?: LinkProps['search']
  /** Stands before the label. */
  readonly icon?: LucideIcon
  readonly children: ReactNode
  readonly className?: string
  readonly onClick?: () => void
}

/** Goes to another screen of the app. */
export function LinkButton(props: LinkButtonProps) {
  const { tone, size, isIcon, icon: Icon, className, children, ...rest } = props
  return (
    <Link {...rest} className={cn(buttonLook({ tone, size, isIcon }), className)}>
      {Icon && <Icon />}
      {children}
    </Link>
  )
}

export interface DownloadButtonProps {
  /** Address of the file. */
  readonly href: string
  readonly children: string
}

/** Hands a file of the server to the browser to keep. */
export function DownloadButton({ href, children }: DownloadButtonProps) {
  return (
    <a href={href} download className={buttonLook({ tone: 'secondary' })}>
      <Download />
      {children}
    </a>
  )
}

export interface OutsideLinkProps {
  readonly href: string
  readonly className: string
  readonly onClick?: (() => void) | undefined
  readonly children: ReactNode
}

/** Goes to another site in a new tab, and says so to those who do not see the icon. */
export function OutsideLink({ children, ...rest }: OutsideLinkProps) {
  return (
    <a {...rest} target="_blank" rel="noopener noreferrer">
      {children}
      <ExternalLink className="size-4 flex-none" />
      <span className="sr-only">(opens in a new tab)</span>
    </a>
  )
}
