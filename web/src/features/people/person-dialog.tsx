// Everything staff need to know of one user: who they are, what they have, what was noted, what
// happened.

import {
  type AdminPerson,
  type AdminUser,
  adminPeopleContract,
  type StaffNote,
} from '@redpack/contract'
import { personHistoryMax, personNotesMax } from '@redpack/contract/limits'
import { useIsMutating } from '@tanstack/react-query'
import { Ban, CircleCheck, Gift, Send, StickyNote } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { cn } from '../../lib/class-names.ts'
import { formatDateTime, formatMoment, formatNumber } from '../../lib/format.ts'
import { useCall } from '../../lib/use-call.ts'
import { ending } from '../../ui/feedback/outcome.ts'
import { Badge, DataState, Empty } from '../../ui/feedback/state.tsx'
import { Button, LinkButton } from '../../ui/form/button.tsx'
import { entered, Form, TextAreaField, TextField } from '../../ui/form/text-field.tsx'
import { Fact, Figure } from '../../ui/layout/section.tsx'
import { Tabs } from '../../ui/layout/tabs.tsx'
import { Avatar } from '../../ui/media/avatar.tsx'
import { Masked } from '../../ui/media/masked.tsx'
import { Moment } from '../../ui/media/moment.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { useDiscardQuestion } from '../../ui/overlay/form-dialog.tsx'
import { useQuestion } from '../../ui/overlay/question.tsx'
import { DeleteButton, KeptPlace, useDeletedRows } from '../../ui/table/deleted-rows.tsx'
import { blankOnce, ShownName, StandingLine, SuspensionOfUser } from './standing-cards.tsx'
import { isShutToChanges, protectedWords, roleNames, StandingBadges } from './users-columns.tsx'
import { usePerson } from './users-queries.ts'

interface PersonDialogProps {
  readonly id: number
  readonly onPrizes: (user: AdminUser) => void
  readonly onClose: () => void
}

export function PersonDialog({ id, onPrizes, onClose }: PersonDialogProps) {
  const query = usePerson(id)
  const { data } = query
  const forms = useRef<HTMLDivElement>(null)
  const isSending = useIsMutating() > 0
  // Every field starts blank, and is blank again once it is sent.
  const isUnsaved = () => {
    if (isSending) return false
    const fields = forms.current?.querySelectorAll<HTMLInputElement>('input, textarea') ?? []
    return [...fields].some(({ value }) => value.trim() !== '')
  }
  const { leave, question } = useDiscardQuestion(isUnsaved, onClose)
  return (
    <>
      <Dialog
        onOpenChange={leave}
        title={data ? data.user.displayName : 'User'}
        isWide
        // One height for all of its tabs: with its own each would move the others.
        className="min-h-[calc(100dvh-2rem)] [scrollbar-gutter:stable]"
      >
        <div ref={forms}>
          <DataState
            query={query}
            what="user"
            title="Failed to fetch user"
            skeleton={['h-16 w-full', 'h-64 w-full']}
            className="grid gap-4"
          >
            {(person) => <Person person={person} onPrizes={() => onPrizes(person.user)} />}
          </DataState>
        </div>
      </Dialog>
      {question}
    </>
  )
}

interface PersonProps {
  readonly person: AdminPerson
  readonly onPrizes: () => void
}

function Person({ person, onPrizes }: PersonProps) {
  const [tab, setTab] = useState('account')
  const { user } = person
  return (
    <>
      <div className="mb-5 flex flex-wrap items-center gap-4">
        <Avatar name={user.displayName} src={user.avatar} className="size-14" />
        <div className="min-w-0 flex-1 basis-40">
          <p className="text-muted">@{user.username}</p>
          <p className="mt-1 flex flex-wrap gap-1.5">
            <Badge tone="accent">{roleNames[user.role]}</Badge>
            {isShutToChanges(user) && <Badge tone="warning">{protectedWords.title}</Badge>}
            {person.earningBlock && <Badge tone="danger">Earning blocked</Badge>}
            <StandingBadges user={user} />
          </p>
        </div>
        <div className="flex flex-wrap gap-2">
          <Button icon={Gift} tone="secondary" onClick={onPrizes}>
            View Prizes
          </Button>
          <LinkButton
            icon={Send}
            tone="secondary"
            to="."
            search={{ tab: 'distribute', user: user.id }}
          >
            Grant or remove
          </LinkButton>
        </div>
      </div>
      <Tabs
        label="About this user"
        value={tab}
        onChange={setTab}
        keepsHidden
        tabs={[
          { value: 'account', label: 'Account', content: <Account person={person} /> },
          {
            value: 'notes',
            label: `Notes (${person.notes.length}${person.notes.length < personNotesMax ? '' : '+'})`,
            content: <PersonNotes id={user.id} notes={person.notes} />,
          },
          { value: 'history', label: 'History', content: <PersonHistory person={person} /> },
        ]}
      />
    </>
  )
}

function Account({ person }: { readonly person: AdminPerson }) {
  const { user, account, totals, claims } = person
  const figures: readonly (readonly [string, number])[] = [
    ['RedCoins', totals.redCoinBalance],
    ['RedCoins won', totals.redCoinWon],
    ['Unopened packs', totals.unopenedPacks],
    ['Packs opened', totals.openings],
    ['Purchases', totals.purchases],
    ['Watched broadcasts', totals.completedWatches],
    ['Claims pending', claims.pending],
    ['Claims processing', claims.processing],
    ['Claims completed', claims.completed],
  ]
  return (
    <div className="grid gap-6">
      <dl className="grid grid-cols-2 gap-3 sm:grid-cols-3">
        {figures.map(([term, value]) => (
          <Figure key={term} term={term}>
            {formatNumber(value)}
          </Figure>
        ))}
      </dl>
      <dl className="grid gap-x-6 sm:grid-cols-2">
        <Fact term="Joined">{formatMoment(user.createdAt)}</Fact>
        <Fact term="Last seen">
          {account.lastSeenAt === null ? 'Not signed in' : <Moment at={account.lastSeenAt} />}
        </Fact>
        <Fact term="Email">{user.email && <Masked what="Email">{user.email}</Masked>}</Fact>
        <Fact term="Twitch ID">{account.twitchId}</Fact>
        <Fact term="Discord">{account.discordUsername ?? account.discordId}</Fact>
        <Fact term="Country">{account.country}</Fact>
        <Fact term="Time zone">{account.timezone}</Fact>
        <Fact term="Leaderboard">{account.isHiddenFromLeaderboard ? 'Hidden' : 'Shown'}</Fact>
        <Fact term="Wallet">
          {account.solanaWallet && (
            <>
              <Masked what="Wallet">{account.solanaWallet}</Masked>{' '}
              <span className="text-sm text-muted">({walletWord(account)})</span>
            </>
          )}
        </Fact>
        <Fact term="Bio">{account.bio}</Fact>
      </dl>
      <EarningBlock user={user} block={person.earningBlock} />
      {!isShutToChanges(user) && (
        <>
          <SuspensionOfUser user={user} />
          <ShownName user={user} />
        </>
      )}
    </div>
  )
}

/** What is known of a wallet: proven, only typed, or typed and no address that anybody can have. */
function walletWord({ walletVerifiedAt, isWalletUnchecked }: AdminPerson['account']): string {
  if (walletVerifiedAt !== null) return 'proven'
  return isWalletUnchecked ? 'unchecked' : 'not proven'
}

const reasonMax = 500

interface EarningBlockProps {
  readonly user: AdminUser
  readonly block: AdminPerson['earningBlock']
}

function EarningBlock({ user, block }: EarningBlockProps) {
  const [reason, setReason] = useState('')
  const change = useCall(adminPeopleContract.blockEarning)
  const send = (isBlocked: boolean) =>
    change.mutate(
      { params: { id: user.id }, body: { isBlocked, reason: isBlocked ? reason : '' } },
      ending(
        `${user.displayName} can ${isBlocked ? 'no longer earn' : 'earn again'}`,
        'Failed to change the earning block',
        () => setReason(blankOnce(reason)),
      ),
    )
  const [ask, question] = useQuestion(() => ({
    title: `Block earning of ${user.displayName}?`,
    description:
      'No more rewards for watching or from the chat bot until staff allow it again. They keep what they have.',
    confirmLabel: 'Block earning',
    onConfirm: () => send(true),
  }))
  if (isShutToChanges(user)) return null
  return (
    <section aria-label="Earning" className="card grid gap-3 p-4">
      <h3 className="text-lg">Earning</h3>
      {block ? (
        <>
          <p>
            <strong className="text-danger">Blocked</strong>
            {block.reason !== '' && `: ${block.reason}`}
          </p>
          <p className="text-sm text-muted">
            {block.actor && `By @${block.actor.username}`}
            {block.actor && block.createdAt !== null && ', '}
            {block.createdAt !== null && <Moment at={block.createdAt} />}
          </p>
          <Button
            tone="secondary"
            className="justify-self-start"
            onClick={() => send(false)}
            isPending={change.isPending}
          >
            <CircleCheck />
            Allow earning
          </Button>
        </>
      ) : (
        <Form onSubmit={() => ask()} className="grid gap-3">
          <p className="text-muted">
            This user earns from watching streams and from the chat bot, like everyone else. A block
            stops both; packs, prizes and the store stay open.
          </p>
          <TextField
            label="Reason"
            hint="Visible to staff, and to the user when they download their data."
            maxLength={reasonMax}
            {...entered(reason, setReason)}
          />
          <Button icon={Ban} type="submit" tone="danger" className="justify-self-start">
            Block earning
          </Button>
        </Form>
      )}
      {question}
    </section>
  )
}

function PersonHistory({ person }: { readonly person: AdminPerson }) {
  const { ledger, packHistory, roleHistory, standingHistory } = person
  return (
    <div className="grid gap-6">
      <Part title="RedCoin" rows={ledger.length}>
        {ledger.map((entry) => (
          <Line
            key={entry.id}
            at={entry.createdAt}
            text={entry.description || entry.type}
            change={entry.amount}
            after={`Balance ${formatNumber(entry.balanceAfter)}`}
          />
        ))}
      </Part>
      <Part title="Packs" rows={packHistory.length}>
        {packHistory.map((entry) => (
          <Line
            key={entry.id}
            at={entry.createdAt}
            text={`${entry.packTypeName}: ${entry.description || entry.type}`}
            change={entry.delta}
            after={`Then ${formatNumber(entry.quantityAfter)}`}
          />
        ))}
      </Part>
      <Part title="Name and suspension" rows={standingHistory.length}>
        {standingHistory.map((entry) => (
          <StandingLine key={entry.createdAt + entry.action} entry={entry} />
        ))}
      </Part>
      <Part title="Role" rows={roleHistory.length}>
        {roleHistory.map((entry) => (
          <li
            key={entry.createdAt}
            className="flex flex-wrap justify-between gap-x-4 border-b border-line py-2"
          >
            <span>
              {roleNames[entry.from]} → {roleNames[entry.to]}
              {entry.actor && ` by @${entry.actor.username}`}
            </span>
            <Moment at={entry.createdAt} className="text-sm text-muted" />
          </li>
        ))}
      </Part>
    </div>
  )
}

interface PartProps {
  readonly title: string
  readonly rows: number
  readonly children: ReactNode
}

function Part({ title, rows, children }: PartProps) {
  return (
    <section aria-label={title}>
      <h3 className="mb-1 text-lg">{title}</h3>
      {rows === 0 ? (
        <p className="text-muted">No changes yet.</p>
      ) : (
        <ol className="list-none p-0">{children}</ol>
      )}
      <Newest rows={rows} max={personHistoryMax} />
    </section>
  )
}

/** That there may be older rows than those that are shown. */
function Newest({ rows, max }: { readonly rows: number; readonly max: number }) {
  return (
    rows >= max && (
      <p className="mt-2 text-sm text-muted">
        The newest {max} are shown; there may be older ones.
      </p>
    )
  )
}

interface LineProps {
  readonly at: string
  readonly text: string
  readonly change: number
  readonly after: string
}

function Line({ at, text, change, after }: LineProps) {
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 border-b border-line py-2">
      <span className="break-words">{text}</span>
      <span
        className={cn(
          'text-end font-semibold tabular-nums',
          change < 0 ? 'text-danger' : 'text-success',
        )}
      >
        {change > 0 && '+'}
        {formatNumber(change)}
      </span>
      <Moment at={at} className="text-sm text-muted" />
      <span className="text-end text-sm text-muted tabular-nums">{after}</span>
    </li>
  )
}

/** Notes have no names: their authors and times tell them apart. */
function nameOf({ author, createdAt }: StaffNote): string {
  return `the note of ${writerOf(author)}, ${formatDateTime(createdAt)}`
}

function writerOf(author: StaffNote['author']): string {
  return author ? `@${author.username}` : 'Unknown'
}

function PersonNotes({ id, notes }: { readonly id: number; readonly notes: readonly StaffNote[] }) {
  const [body, setBody] = useState('')
  const add = useCall(adminPeopleContract.addNote)
  const remove = useCall(adminPeopleContract.removeNote)
  const deleted = useDeletedRows(notes, {})
  const submit = () => {
    add.mutate(
      { params: { id }, body: { body } },
      ending('Note added successfully', 'Failed to add the note', () => setBody(blankOnce(body))),
    )
  }
  const [askDeletion, question] = useQuestion((note: StaffNote) => ({
    title: 'Delete this note?',
    description: 'This cannot be undone.',
    confirmLabel: 'Delete',
    onConfirm: () => {
      const name = nameOf(note)
      return deleted.deleteRow(note, {
        name,
        send: () => remove.mutateAsync({ params: { id: note.id } }),
        done: `Note deleted successfully: ${name}`,
        fallback: 'Failed to delete the note',
      })
    },
  }))
  return (
    <div className="grid gap-5">
      <Form onSubmit={submit} className="grid gap-3">
        <TextAreaField
          label="New note"
          hint="Visible to staff, and to the user when they download their data."
          required
          {...entered(body, setBody)}
        />
        <Button
          type="submit"
          className="justify-self-end"
          disabled={body.trim() === ''}
          isPending={add.isPending}
        >
          Add note
        </Button>
      </Form>
      {deleted.rows.length === 0 ? (
        <Empty picture={<StickyNote />} title="No notes yet" />
      ) : (
        <ol aria-label="Notes" className="grid list-none gap-3 p-0">
          {deleted.rows.map((note) => (
            <li key={note.id}>
              <KeptPlace line={deleted.lineOf(note)}>
                <div className="card flex items-start gap-3 p-3">
                  <div className="min-w-0 flex-1">
                    <p className="whitespace-pre-wrap wrap-anywhere">{note.body}</p>
                    <p className="mt-1 text-sm text-muted">
                      {writerOf(note.author)}, <Moment at={note.createdAt} />
                    </p>
                  </div>
                  <DeleteButton label="Delete note" onClick={() => askDeletion(note)} />
                </div>
              </KeptPlace>
            </li>
          ))}
        </ol>
      )}
      <Newest rows={notes.length} max={personNotesMax} />
      {question}
    </div>
  )
}
