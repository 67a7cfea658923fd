// The Users tab: find somebody, see what everybody has, change roles.

import { type AdminUser, adminClaimsContract, type Role, type UserPrize } from '@redpack/contract'
import { adminFileRowsMax, hitsMax } from '@redpack/contract/limits'
import { CircleCheck, EllipsisVertical, Gift, Trash2, UserRound, UsersRound, X } from 'lucide-react'
import { useCallback, useMemo, useState } from 'react'
import { usePanelReading } from '../../compat/panel-reading.ts'
import { formatMoment, formatNumber, formatRedCoin, plural } from '../../lib/format.ts'
import { useSearchValue } from '../../lib/search-value.ts'
import { useAct, useCall } from '../../lib/use-call.ts'
import { reportOutcome } from '../../ui/feedback/outcome.ts'
import { Badge, DataState, Empty } from '../../ui/feedback/state.tsx'
import { Button, IconButton } from '../../ui/form/button.tsx'
import { SelectField } from '../../ui/form/select-field.tsx'
import { PanelHeader } from '../../ui/layout/section.tsx'
import { Avatar } from '../../ui/media/avatar.tsx'
import { Masked } from '../../ui/media/masked.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import type { MenuItem } from '../../ui/overlay/drop-down.tsx'
import { Menu } from '../../ui/overlay/menu.tsx'
import { useQuestion } from '../../ui/overlay/question.tsx'
import { DataTable, pagedByServer } from '../../ui/table/data-table.tsx'
import { type DeletedRows, hidden, seen, useDeletedRows } from '../../ui/table/deleted-rows.tsx'
import { PlainTable } from '../../ui/table/plain-table.tsx'
import { useLiveSearch } from '../../ui/table/table-search.tsx'
import { useTableView } from '../../ui/table/table-view.ts'
import { useNamedPackTypes } from '../catalogue/pack-type-queries.ts'
import { claimIdOf, StatusBadge, spokenClaim } from '../claims/shared/claim-parts.tsx'
import { deleteClaim } from '../claims/staff-queries.ts'
import { useSession, useStaffPowers } from '../session/queries.ts'
import { HeldPacks, UserField, useUserSuggestions } from '../session/shared/suggest-users.tsx'
import { PersonDialog } from './person-dialog.tsx'
import {
  roleChangedText,
  roleChangeText,
  roleNames,
  roleQuestion,
  usersColumns,
} from './users-columns.tsx'
import { usersFile, usersPageSize, useUserPrizes, useUsers } from './users-queries.ts'

const defaults = { sort: 'username', filters: { only: 'all' } }
const choices = [
  { value: 'all', label: 'All users' },
  { value: 'flagged', label: 'Name flagged' },
  { value: 'renamed', label: 'Name hidden or replaced' },
  { value: 'suspended', label: 'Suspended' },
]

export function UsersPanel() {
  const { hasUserPages } = usePanelReading()
  const [view, changeView] = useTableView(defaults)
  const [openId, setOpenId] = useSearchValue('user', 'push')
  const { search, sort, page, filters } = view
  const only = filters['only'] === 'all' ? undefined : filters['only']
  const users = useUsers({ search, sort, only, page, limit: usersPageSize })
  const packTypes = useNamedPackTypes()
  const { user: self } = useSession()
  const { mayChangeSuperUsers } = useStaffPowers()
  const [picked, setPicked] = useState<AdminUser>()
  const [prizesOf, setPrizesOf] = useState<AdminUser>()
  const role = useRoleChange(self?.id)
  const { ask } = role
  const columns = useMemo(
    () =>
      usersColumns(packTypes.data ?? [], {
        ownId: self?.id,
        mayChangeSuperUsers,
        onRole: ask,
        onPrizes: setPrizesOf,
        ...(hasUserPages && { onOpen: (user) => setOpenId(String(user.id)) }),
      }),
    [packTypes.data, self?.id, mayChangeSuperUsers, ask, hasUserPages, setOpenId],
  )
  const shownPick = users.data?.users.find(({ id }) => id === picked?.id) ?? picked
  const person = /^[1-9]\d*$/.test(openId) && hasUserPages ? Number(openId) : undefined
  return (
    <section aria-labelledby="users-title" className="min-w-0">
      <PanelHeader id="users-title" title="Users" className="mb-4" />
      {shownPick && (
        <PickedUser
          user={shownPick}
          onPrizes={() => setPrizesOf(shownPick)}
          {...(hasUserPages && { onOpen: () => setOpenId(String(shownPick.id)) })}
          onClose={() => {
            setPicked(undefined)
            changeView({ search: '' })
          }}
        />
      )}
      <DataTable
        label="Users"
        columns={columns}
        // Its columns are those of the pack types: rows that came before them would move.
        rows={packTypes.isPending ? undefined : users.data?.users}
        rowId={({ id }) => id}
        rowName={({ displayName }) => displayName}
        view={view}
        onViewChange={changeView}
        {...pagedByServer(users)}
        errorTitle="Failed to fetch users"
        tools={
          <>
            <UserSearch
              value={view.search}
              onSearch={(text) => changeView({ search: text }, true)}
              onPick={(user) => {
                setPicked(user)
                changeView({ search: user.username })
              }}
            />
            {hasUserPages && (
              <SelectField
                label="Show"
                choices={choices}
                value={only ?? 'all'}
                onChange={(event) => changeView({ filters: { only: event.target.value } })}
              />
            )}
          </>
        }
        countLine={(shown, total) =>
          `Showing ${formatNumber(shown)} of ${plural(total, 'user', 'users')}`
        }
        hitsMax={(search !== '' || only !== undefined) && hitsMax}
        empty={
          <Empty
            picture={<UsersRound />}
            title={search === '' ? 'No users found' : `No users found matching "${search}"`}
          />
        }
        fileRowsMax={adminFileRowsMax}
        csv={usersFile({ search, sort, only })}
        {...(hasUserPages && { onOpen: (user: AdminUser) => setOpenId(String(user.id)) })}
      />
      {role.question}
      {prizesOf && <UserPrizesDialog user={prizesOf} onClose={() => setPrizesOf(undefined)} />}
      {person !== undefined && (
        <PersonDialog id={person} onPrizes={setPrizesOf} onClose={() => setOpenId('')} />
      )}
    </section>
  )
}

interface RoleOrder {
  readonly user: AdminUser
  readonly role: Role
}

/** Asks before a role is changed, changes it, and says how that ended. */
function useRoleChange(ownId: number | undefined) {
  const change = useCall(usePanelReading().calls.changeRole)
  const [askAbout, question] = useQuestion(({ user, role }: RoleOrder) => {
    const isOwn = user.id === ownId
    const body = { role, expected: { role: user.role } }
    return {
      title: roleQuestion(user, role, isOwn),
      description: roleChangeText(user, role, isOwn),
      confirmLabel: 'Change role',
      tone: role === 'user' && !isOwn ? 'primary' : 'danger',
      onConfirm: () =>
        reportOutcome(change.mutateAsync({ params: { id: user.id }, body }), {
          done: roleChangedText(user, role, isOwn),
          failureTitle: 'Error updating role',
          fallback: 'Failed to update user role',
        }),
    }
  })
  const ask = useCallback((user: AdminUser, role: Role) => askAbout({ user, role }), [askAbout])
  return { ask, question }
}

interface PickedUserProps {
  readonly user: AdminUser
  readonly onPrizes: () => void
  /** Absent where users have no page. */
  readonly onOpen?: () => void
  readonly onClose: () => void
}

function PickedUser({ user, onPrizes, onOpen, onClose }: PickedUserProps) {
  return (
    <section
      aria-label="Selected user"
      className="card on-card mb-6 flex flex-wrap items-center gap-4 border-accent-graphic p-4"
    >
      <Avatar name={user.displayName} src={user.avatar} className="size-14" />
      <div className="min-w-0 flex-1 basis-48">
        <p className="flex flex-wrap items-center gap-2 text-lg font-semibold">
          {user.displayName}
          <Badge>{roleNames[user.role]}</Badge>
        </p>
        <p className="text-muted">
          @{user.username} · {formatRedCoin(user.redCoinBalance)} · joined{' '}
          {formatMoment(user.createdAt)}
        </p>
        {user.email !== null && (
          <p className="break-all text-sm text-muted">
            <Masked what="Email">{user.email}</Masked>
          </p>
        )}
        <HeldPacks user={user} tone="secondary" className="mt-2" />
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <Button icon={Gift} tone="secondary" onClick={onPrizes}>
          View Prizes
        </Button>
        {onOpen && (
          <Button icon={UserRound} tone="secondary" onClick={onOpen}>
            Open user
          </Button>
        )}
        <IconButton icon={X} label="Close selected user" onClick={onClose} />
      </div>
    </section>
  )
}

/** How long after the field is left its suggestions close, in milliseconds. */
const suggestionsCloseMs = 150
interface UserSearchProps {
  readonly value: string
  readonly onSearch: (text: string) => void
  readonly onPick: (user: AdminUser) => void
}

export function UserSearch({ value, onSearch, onPick }: UserSearchProps) {
  const { field, text, setText, settled, isSettled } = useLiveSearch(value, onSearch)
  const { data: found = [] } = useUserSuggestions(settled, usePanelReading().calls)
  return (
    <div className="flex w-full items-end gap-2 sm:w-96">
      <UserField
        className="flex-1"
        label="Search users"
        placeholder="Username or display name"
        fieldRef={field}
        value={text}
        onChange={setText}
        closeDelayMs={suggestionsCloseMs}
        users={isSettled ? found : []}
        onPick={onPick}
      />
      {text !== '' && (
        <Button tone="ghost" onClick={() => onSearch('')}>
          Clear
        </Button>
      )}
    </div>
  )
}

interface PrizeAct {
  readonly act: 'complete' | 'delete'
  readonly prize: UserPrize
}

export function UserPrizesDialog({ user, onClose }: Pick<PickedUserProps, 'user' | 'onClose'>) {
  const query = useUserPrizes(user.id)
  // A claim on RedCoin is paid by itself and is no physical prize, whoever lists it.
  const prizes = query.data?.filter(({ prize }) => prize.redCoinAmount === 0)
  const deleted = useDeletedRows(prizes ?? [], {})
  const nameOf = (prize: UserPrize) =>
    spokenClaim(claimIdOf(prize), prize.prize.name, user.displayName)
  const [ask, question] = usePrizeQuestion(deleted, nameOf)
  return (
    <>
      <Dialog
        onOpenChange={onClose}
        title={`Prizes of ${user.displayName}`}
        description="Physical prizes, newest first"
        isWide
      >
        <DataState
          query={query}
          what="prizes"
          title="Failed to fetch user prizes"
          skeleton={['h-14 w-full', 'h-14 w-full']}
          className="grid gap-3"
          isBrief
        >
          {() =>
            deleted.rows.length === 0 ? (
              <Empty picture={<Gift />} title="No physical prizes found" />
            ) : (
              <PrizesTable deleted={deleted} nameOf={nameOf} onAsk={ask} />
            )
          }
        </DataState>
      </Dialog>
      {question}
    </>
  )
}

function usePrizeQuestion(deleted: DeletedRows<UserPrize>, nameOf: (prize: UserPrize) => string) {
  const complete = useCall(adminClaimsContract.update)
  const { calls, prizeNotDeleted } = usePanelReading()
  const remove = useAct({ mutationFn: (id: number) => deleteClaim(id, calls.deletePrize) })
  return useQuestion(({ act, prize }: PrizeAct) => {
    const { id } = prize
    const name = nameOf(prize)
    const question = {
      confirmLabel: 'Confirm',
      children: (
        <p className="break-words font-semibold">
          <Masked what="Claim ID" canReveal={false}>
            {claimIdOf(prize)}
          </Masked>
          , {prize.prize.name}
        </p>
      ),
    }
    if (act === 'complete') {
      return {
        ...question,
        title: 'Mark Complete',
        description: 'Mark this prize claim as complete?',
        tone: 'primary',
        onConfirm: () =>
          reportOutcome(complete.mutateAsync({ params: { id }, body: { status: 'completed' } }), {
            done: `Prize claim updated successfully: ${name}`,
            failureTitle: 'Update Failed',
            fallback: 'Unable to update prize claim status',
          }),
      }
    }
    return {
      ...question,
      title: 'Delete claim',
      description: 'Are you sure you want to delete this claim? This action cannot be undone.',
      onConfirm: () =>
        deleted.deleteRow(prize, {
          name,
          send: () => remove.mutateAsync(id),
          done: `Prize claim deleted successfully: ${name}`,
          failureTitle: prizeNotDeleted.title,
          fallback: prizeNotDeleted.text,
        }),
    }
  })
}

interface PrizesTableProps {
  readonly deleted: DeletedRows<UserPrize>
  /** For names of controls and for messages. */
  readonly nameOf: (prize: UserPrize) => string
  readonly onAsk: (asked: PrizeAct) => void
}

function PrizesTable({ deleted, nameOf, onAsk }: PrizesTableProps) {
  return (
    <PlainTable
      label="Physical prizes"
      heads={['Claim ID', 'Prize', 'Status', 'Claimed', 'Actions']}
      className="[&_td]:py-1!"
    >
      {deleted.rows.map((prize) => (
        <tr key={prize.id} className="relative" style={deleted.lineOf(prize) ? hidden : undefined}>
          <th scope="row" className="whitespace-nowrap font-mono font-normal">
            <Masked what="Claim ID">{claimIdOf(prize)}</Masked>
            <div
              style={seen}
              className="absolute inset-y-0 start-0 flex w-max max-w-100 items-center font-sans"
            >
              {deleted.lineOf(prize)}
            </div>
          </th>
          <td>{prize.prize.name}</td>
          <td>
            <StatusBadge status={prize.status} />
          </td>
          <td className="whitespace-nowrap">{formatMoment(prize.createdAt)}</td>
          <td className="sticky end-0 bg-surface">
            <PrizeActions prize={prize} nameOf={nameOf} onAsk={onAsk} />
          </td>
        </tr>
      ))}
    </PlainTable>
  )
}

function PrizeActions({
  prize,
  nameOf,
  onAsk,
}: Omit<PrizesTableProps, 'deleted'> & { readonly prize: UserPrize }) {
  if (!usePanelReading().hasPrizeMenu) {
    return (
      <Button
        icon={Trash2}
        tone="danger"
        aria-label={`Delete ${nameOf(prize)}`}
        onClick={() => onAsk({ act: 'delete', prize })}
      >
        Delete
      </Button>
    )
  }
  const complete: MenuItem = {
    label: 'Mark Complete',
    icon: <CircleCheck />,
    onSelect: () => onAsk({ act: 'complete', prize }),
  }
  const remove: MenuItem = {
    label: 'Delete',
    icon: <Trash2 />,
    isDestructive: true,
    onSelect: () => onAsk({ act: 'delete', prize }),
  }
  return (
    <Menu
      label={`Actions for ${nameOf(prize)}`}
      tone="ghost"
      trigger={<EllipsisVertical className="size-5" />}
      groups={[prize.status === 'completed' ? [remove] : [complete, remove]]}
    />
  )
}
