// The menu behind the avatar.

import type { SessionUser } from '@redpack/contract'
import { EyeOff, History, LogOut, UserRound } from 'lucide-react'
import { streamerMode, useStreamerMode } from '../lib/streamer-mode.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Menu } from '../ui/menu.tsx'

export function UserMenu({ user }: { readonly user: SessionUser }) {
  const isHiding = useStreamerMode()
  return (
    <Menu
      label={`Account of ${user.displayName}`}
      triggerClassName="grid size-11 flex-none place-items-center rounded-full"
      trigger={<Avatar name={user.displayName} src={user.avatar} />}
      header={
        <>
          <span className="block font-semibold">{user.displayName}</span>
          <span className="block text-sm text-muted">@{user.username}</span>
        </>
      }
      groups={[
        [
          { label: 'Profile', to: '/profile', icon: <UserRound aria-hidden="true" /> },
          { label: 'History', to: '/history', icon: <History aria-hidden="true" /> },
        ],
        [
          {
            label: 'Streamer mode',
            icon: <EyeOff aria-hidden="true" />,
            isChecked: isHiding,
            onChange: streamerMode.set,
          },
        ],
        [{ label: 'Logout', to: '/logout', icon: <LogOut aria-hidden="true" /> }],
      ]}
    />
  )
}
