// The Users tab: find somebody, see what everybody has, change roles.

import { type AdminUser, adminClaimsContract, type Role, type UserPrize } from '@redpack/contract'
import { CircleCheck, EllipsisVertical, Gift, Trash2, UserRound, UsersRound, X } from 'lucide-react'
import { useEffect, useMemo, useReducer, useRef, useState } from 'react'
import { usePanelReading } from '../../compat/panel-reading.ts'
import { formatMoment, formatNumber, formatRedCoin } from '../../lib/format.ts'
import { useSearchValue } from '../../lib/search-value.ts'
import { useCall } from '../../lib/use-call.ts'
import { Badge } from '../../ui/feedback/badge.tsx'
import { DataState } from '../../ui/feedback/data-state.tsx'
import { Empty } from '../../ui/feedback/empty.tsx'
import { toastDone, toastFailed } from '../../ui/feedback/outcome.ts'
import { Button } from '../../ui/form/button.tsx'
import { IconButton } from '../../ui/form/icon-button.tsx'
import { SelectField } from '../../ui/form/select-field.tsx'
import { PanelTitle } from '../../ui/layout/headings.tsx'
import { Avatar } from '../../ui/media/avatar.tsx'
import { Masked } from '../../ui/media/masked.tsx'
import { ConfirmDialog, Dialog } from '../../ui/overlay/dialog.tsx'
import type { MenuItem } from '../../ui/overlay/drop-down.tsx'
import { Menu } from '../../ui/overlay/menu.tsx'
import { DataTable, pagedByServer } from '../../ui/table/data-table.tsx'
import { type DeletedRows, hidden, seen, useDeletedRows } from '../../ui/table/deleted-rows.tsx'
import { useSearchDraft } from '../../ui/table/table-search.tsx'
import { useTableView } from '../../ui/table/table-view.ts'
import { claimIdOf, StatusBadge } from '../claims/shared/claim-parts.tsx'
import { useSession, useStaffPowers } from '../session/queries.ts'
import {
  HeldPacks,
  UserField,
  useSettledText,
  useUserSuggestions,
} from '../session/shared/suggest-users.tsx'
import { PersonDialog } from './person-dialog.tsx'
import {
  roleChangedText,
  roleChangeText,
  roleNames,
  roleQuestion,
  usersColumns,
} from './users-columns.tsx'
import {
  useDeletePrize,
  usePackTypeColumns,
  usersFile,
  usersPageSize,
  useUserPrizes,
  useUsers,
} from './users-queries.ts'

const defaults = { sort: 'username', filters: { only: 'all' } }
const choices = [
  { value: 'all', label: 'Everybody' },
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
  const packTypes = usePackTypeColumns()
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
      <PanelTitle id="users-title" className="mb-4">
        Users
      </PanelTitle>
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
        name="users"
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
                label="Which users"
                choices={choices}
                value={only ?? 'all'}
                onChange={(event) => changeView({ filters: { only: event.target.value } })}
              />
            )}
          </>
        }
        countLine={(shown, total) =>
          `Showing ${formatNumber(shown)} of ${formatNumber(total)} users`
        }
        empty={<NoUsers search={search} />}
        csv={usersFile({ search, sort, only })}
        actionCount={role.done}
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

function NoUsers({ search }: { readonly search: string }) {
  return (
    <Empty
      picture={<UsersRound aria-hidden="true" />}
      title={search === '' ? 'No users found' : `No users found matching "${search}"`}
    />
  )
}

interface RoleOrder {
  readonly user: AdminUser
  readonly role: Role
}

/** Asks before a role is changed, changes it, and says how that ended. */
function useRoleChange(ownId: number | undefined) {
  const [order, ask] = useReducer(
    (_: RoleOrder | undefined, next: RoleOrder | undefined) => next,
    undefined,
  )
  const [done, countDone] = useReducer((count: number) => count + 1, 0)
  const change = useCall(usePanelReading().calls.changeRole)
  const isOwn = order !== undefined && order.user.id === ownId
  const confirm = () => {
    if (!order) return
    change.mutate(
      { params: { id: order.user.id }, body: { role: order.role } },
      {
        onSuccess: () => {
          countDone()
          toastDone(roleChangedText(order.user, order.role, isOwn))
        },
        onError: (error) => toastFailed('Error updating role', error, 'Failed to update user role'),
        onSettled: () => ask(undefined),
      },
    )
  }
  const askFor = useMemo(() => (user: AdminUser, role: Role) => ask({ user, role }), [])
  return {
    done,
    ask: askFor,
    question: (
      <ConfirmDialog
        isOpen={order !== undefined}
        onOpenChange={() => ask(undefined)}
        title={order ? roleQuestion(order.user, order.role, isOwn) : ''}
        description={order ? roleChangeText(order.user, order.role, isOwn) : ''}
        confirmLabel="Change role"
        tone={order?.role === 'user' && !isOwn ? 'primary' : 'danger'}
        onConfirm={confirm}
        isPending={change.isPending}
      />
    ),
  }
}

// The user that was picked from the suggestions.
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
  const { field, text, setText } = useSearchDraft(value)
  const { settled, isSettled } = useSettledText(text)
  const { data: found = [] } = useUserSuggestions(settled, usePanelReading().calls)
  const search = useRef(onSearch)
  useEffect(() => {
    search.current = onSearch
  }, [onSearch])
  useEffect(() => {
    if (isSettled && settled !== value) search.current(settled)
  }, [settled, isSettled, value])
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

interface UserPrizesDialogProps {
  readonly user: AdminUser
  readonly onClose: () => void
}

interface Question {
  readonly act: 'complete' | 'delete'
  readonly prize: UserPrize
}

function UserPrizesDialog({ user, onClose }: UserPrizesDialogProps) {
  const query = useUserPrizes(user.id)
  const [question, setQuestion] = useState<Question>()
  // A claim on RedCoin is paid by itself and is no physical prize, whoever lists it.
  const prizes = query.data?.filter(({ prize }) => prize.redCoinAmount === 0)
  const deleted = useDeletedRows(prizes ?? [], {})
  return (
    <>
      <Dialog
        isOpen
        onOpenChange={(isOpen) => !isOpen && onClose()}
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
              <Empty picture={<Gift aria-hidden="true" />} title="No physical prizes found" />
            ) : (
              <PrizesTable deleted={deleted} onAsk={setQuestion} />
            )
          }
        </DataState>
      </Dialog>
      <PrizeQuestion question={question} deleted={deleted} onClose={() => setQuestion(undefined)} />
    </>
  )
}

interface PrizesTableProps {
  readonly deleted: DeletedRows<UserPrize>
  readonly onAsk: (question: Question) => void
}

const head = 'border-b border-line px-2 py-2 text-start font-display font-semibold text-muted'

function PrizesTable({ deleted, onAsk }: PrizesTableProps) {
  return (
    <div className="overflow-x-auto">
      <table className="w-full border-collapse text-sm">
        <thead>
          <tr>
            {['Claim ID', 'Prize', 'Status', 'Claimed'].map((name) => (
              <th key={name} scope="col" className={head}>
                {name}
              </th>
            ))}
            <th scope="col" className={head}>
              <span className="sr-only">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {deleted.rows.map((prize) => (
            <tr
              key={prize.id}
              className="relative border-b border-line last:border-b-0"
              style={deleted.lineOf(prize) ? hidden : undefined}
            >
              <th
                scope="row"
                className="whitespace-nowrap px-2 py-1 text-start font-mono font-normal"
              >
                <Masked what="Claim ID">{claimIdOf(prize)}</Masked>
                <div
                  style={seen}
                  className="absolute inset-y-0 start-2 flex w-max max-w-100 items-center font-sans"
                >
                  {deleted.lineOf(prize)}
                </div>
              </th>
              <td className="px-2 py-1">{prize.prize.name}</td>
              <td className="px-2 py-1">
                <StatusBadge status={prize.status} />
              </td>
              <td className="whitespace-nowrap px-2 py-1">{formatMoment(prize.createdAt)}</td>
              <td className="sticky end-0 bg-surface py-1 ps-2 text-end">
                <PrizeActions prize={prize} onAsk={onAsk} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function PrizeActions({
  prize,
  onAsk,
}: Omit<PrizesTableProps, 'deleted'> & { readonly prize: UserPrize }) {
  if (!usePanelReading().hasPrizeMenu) {
    return (
      <Button
        icon={Trash2}
        tone="danger"
        aria-label={`Delete ${claimIdOf(prize)}`}
        onClick={() => onAsk({ act: 'delete', prize })}
      >
        Delete
      </Button>
    )
  }
  const complete: MenuItem = {
    label: 'Mark Complete',
    icon: <CircleCheck aria-hidden="true" />,
    onSelect: () => onAsk({ act: 'complete', prize }),
  }
  const remove: MenuItem = {
    label: 'Delete',
    icon: <Trash2 aria-hidden="true" />,
    isDestructive: true,
    onSelect: () => onAsk({ act: 'delete', prize }),
  }
  return (
    <Menu
      label={`Actions for ${claimIdOf(prize)}`}
      triggerClassName="button button-ghost button-icon"
      trigger={<EllipsisVertical aria-hidden="true" className="size-5" />}
      groups={[prize.status === 'completed' ? [remove] : [complete, remove]]}
    />
  )
}

interface PrizeQuestionProps {
  readonly question: Question | undefined
  readonly deleted: DeletedRows<UserPrize>
  readonly onClose: () => void
}

function PrizeQuestion({ question, deleted, onClose }: PrizeQuestionProps) {
  const complete = useCall(adminClaimsContract.update)
  const remove = useDeletePrize()
  const { prizeNotDeleted } = usePanelReading()
  const isDelete = question?.act === 'delete'
  const confirm = () => {
    if (!question) return
    const { prize } = question
    const { id } = prize
    const name = claimIdOf(prize)
    if (isDelete) {
      deleted.begin(prize, name)
      remove.mutate(id, {
        onSuccess: () => {
          deleted.settle(prize)
          toastDone(`Prize claim deleted successfully: ${name}`)
        },
        onError: (error) => {
          deleted.giveUp(prize)
          toastFailed(prizeNotDeleted.title, error, prizeNotDeleted.text)
        },
        onSettled: onClose,
      })
    } else {
      complete.mutate(
        { params: { id }, body: { status: 'completed' } },
        {
          onSuccess: () => toastDone(`Prize claim updated successfully: ${name}`),
          onError: (error) =>
            toastFailed('Update Failed', error, 'Unable to update prize claim status'),
          onSettled: onClose,
        },
      )
    }
  }
  const what = question && `${claimIdOf(question.prize)}, ${question.prize.prize.name}`
  return (
    <ConfirmDialog
      isOpen={question !== undefined}
      onOpenChange={onClose}
      title={isDelete ? 'Delete claim' : 'Mark Complete'}
      description={
        isDelete
          ? 'Are you sure you want to delete this claim? This action cannot be undone.'
          : 'Mark this prize claim as complete?'
      }
      confirmLabel="Confirm"
      tone={isDelete ? 'danger' : 'primary'}
      onConfirm={confirm}
      isPending={complete.isPending || remove.isPending}
    >
      <p className="break-words font-semibold">{what}</p>
    </ConfirmDialog>
  )
}
