// The forms that give to somebody or to everyone, and those that take.

import { type AdminUser, adminGrantsContract, type BatchKind } from '@redpack/contract'
import { CircleMinus, Coins, type LucideIcon, Package, PackageMinus, Users } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { formatNumber, plural } from '../../lib/format.ts'
import { useAct, useCall } from '../../lib/use-call.ts'
import { toastDone, toastFailed } from '../../ui/feedback/outcome.ts'
import { askAgain, LoadError } from '../../ui/feedback/state.tsx'
import { Button } from '../../ui/form/button.tsx'
import { RadioCards } from '../../ui/form/radio-cards.tsx'
import { entered, Form, TextField } from '../../ui/form/text-field.tsx'
import { Card, CardHeader } from '../../ui/layout/section.tsx'
import { LeaveGuard } from '../../ui/overlay/leave-guard.tsx'
import { useQuestion } from '../../ui/overlay/question.tsx'
import { PackTypeSelect } from '../catalogue/shared/pack-type-select.tsx'
import {
  AmountField,
  amountOf,
  GrantWords,
  isAmount,
  isLargeGrant,
  largeGrantQuestion,
  type Question,
  RecipientField,
  useByNow,
  usePackTypeName,
} from './grant-fields.tsx'
import { useGrantReach } from './queries.ts'

interface GrantFormProps {
  readonly title: string
  readonly description?: string
  readonly className?: string
  readonly tone?: 'primary' | 'danger'
  readonly icon: LucideIcon
  readonly button: string
  readonly pendingLabel: string
  readonly isReady: boolean
  /** What is asked first; undefined for what is sent at once. */
  readonly question: Question | undefined
  /** False while what is asked is not known yet. */
  readonly canConfirm?: boolean
  readonly send: () => Promise<{ readonly message: string }>
  readonly onDone?: () => void
  /** What a failure is called, and what is said of one that the server has no sentence for. */
  readonly failed: readonly [title: string, fallback: string]
  readonly children: ReactNode
}

function GrantForm(props: GrantFormProps) {
  const { tone = 'primary', isReady, question, onDone, failed } = props
  const [isTouched, setTouched] = useState(false)
  const { mutate, isPending } = useAct({ mutationFn: props.send })
  const send = () => {
    setTouched(false)
    return mutate(undefined, {
      onSuccess: (answer) => {
        onDone?.()
        toastDone(answer.message)
      },
      onError: (error) => {
        setTouched(true)
        toastFailed(failed[0], error, failed[1])
      },
    })
  }
  // It is asked over fields that are empty while the dialog closes.
  const [ask, dialog] = useQuestion((asked: Question) => ({
    ...asked,
    canConfirm: props.canConfirm ?? true,
    onConfirm: send,
  }))
  const submit = () => {
    if (!isReady || isPending) return
    if (question) ask(question)
    else send()
  }
  return (
    <Card className={props.className}>
      <CardHeader level={3} title={props.title} description={props.description} />
      <Form
        onSubmit={submit}
        onChange={() => setTouched(true)}
        noValidate
        className="grid grid-cols-1 gap-5"
      >
        {props.children}
        <LeaveGuard isUnsaved={isTouched && !isPending} />
        <div>
          <Button
            type="submit"
            tone={tone}
            icon={props.icon}
            pendingLabel={props.pendingLabel}
            disabled={!isReady}
            isPending={isPending}
          >
            {props.button}
          </Button>
        </div>
      </Form>
      {dialog}
    </Card>
  )
}

/** What is entered, field by field. */
function useDraft<Draft extends object>(empty: Draft, first: Partial<Draft> = {}) {
  const [draft, setDraft] = useState({ ...empty, ...first })
  return {
    draft,
    change: (part: Partial<Draft>) => setDraft((now) => ({ ...now, ...part })),
    /** A second press gives nothing again. What was entered since this was drawn stays. */
    clear: () => setDraft((now) => (now === draft ? empty : now)),
  }
}

/** Whoever a form begins with, if anybody. */
export interface ChosenUser {
  readonly user?: AdminUser | undefined
}

const noPacks = {
  user: undefined as AdminUser | undefined,
  packType: '',
  quantity: 1 as number | null,
}
const noRedCoin = {
  user: undefined as AdminUser | undefined,
  amount: null as number | null,
  reason: '',
}
const nothingForAll = { packType: '', amount: 1 as number | null, reason: '' }

const packsFailed = ['Distribution Failed', 'Failed to distribute packs'] as const

/** Gives packs to one user. */
export function IndividualDistribution(first: ChosenUser) {
  const { draft, change, clear } = useDraft(noPacks, first)
  const { user, packType, quantity } = draft
  const name = usePackTypeName(packType)
  const give = useCall(adminGrantsContract.distributePacks)
  const total = quantity ?? 0
  return (
    <GrantForm
      className="max-w-2xl"
      title="Give packs to one user"
      description="Ready to open at once."
      icon={Package}
      button="Distribute Packs"
      pendingLabel="Distributing..."
      isReady={user !== undefined && name !== '' && isAmount(quantity)}
      question={
        isLargeGrant('packs', total)
          ? largeGrantQuestion(total, name, user?.displayName ?? '')
          : undefined
      }
      send={() =>
        give.mutateAsync({
          body: { userId: user?.id, packTypeId: Number(packType), quantity: total },
        })
      }
      onDone={clear}
      failed={packsFailed}
    >
      <RecipientField user={user} onChange={(user) => change({ user })} />
      <PackTypeSelect {...entered(packType, (packType) => change({ packType }))} />
      <AmountField kind="packs" value={quantity} onChange={(quantity) => change({ quantity })} />
    </GrantForm>
  )
}

const reasonMax = 500

/** Gives RedCoin to one user, or takes it with an amount below 0; both with a reason. */
export function RedCoinDistribution(first: ChosenUser) {
  const { draft, change, clear } = useDraft(noRedCoin, first)
  const { user, amount, reason } = draft
  const give = useCall(adminGrantsContract.distributeRedCoin)
  const total = amount ?? 0
  const isWhole = Number.isSafeInteger(total)
  const to = user?.displayName ?? ''
  return (
    <GrantForm
      className="max-w-2xl"
      title="Give RedCoin to one user"
      description="The reason shows in the user's history and in the audit log."
      tone={total < 0 ? 'danger' : 'primary'}
      icon={Coins}
      button={total < 0 ? 'Remove RedCoin' : 'Distribute RedCoin'}
      pendingLabel="Processing..."
      isReady={user !== undefined && isWhole && total !== 0 && reason.trim() !== ''}
      question={
        total < 0
          ? removalQuestion('redcoin', -total, 'RedCoins', to)
          : isLargeGrant('redcoin', total)
            ? largeGrantQuestion(total, undefined, to)
            : undefined
      }
      send={() =>
        give.mutateAsync({
          body: { userId: user?.id, amount: total, description: reason.trim() },
        })
      }
      onDone={clear}
      failed={['RedCoin Operation Failed', 'Failed to process RedCoin transaction']}
    >
      <RecipientField user={user} onChange={(user) => change({ user })} />
      <AmountField
        kind="redcoin"
        value={amount}
        onChange={(amount) => change({ amount })}
        min={undefined}
        hint="A negative amount removes RedCoin, never below 0."
        error={isWhole ? undefined : 'Amount must be a whole number'}
      />
      <TextField
        label="Reason"
        maxLength={reasonMax}
        {...entered(reason, (reason) => change({ reason }))}
        placeholder="For example: winner of the Friday quiz"
      />
    </GrantForm>
  )
}

function removalQuestion(kind: BatchKind, amount: number, what: string, from: string): Question {
  return {
    title: kind === 'packs' ? 'Remove packs' : 'Remove RedCoins',
    description: `Are you sure you want to remove ${formatNumber(amount)} ${what} from ${from}?`,
    confirmLabel: 'Confirm',
  }
}

function allThereIs(held: number): string {
  return `The user has only ${formatNumber(held)}, so no more than that is removed.`
}

const removals = {
  redcoin: {
    title: 'Remove RedCoin from a user',
    icon: CircleMinus,
    button: 'Remove RedCoins',
    failed: ['RedCoin Removal Failed', 'Failed to remove RedCoins from user'],
  },
  packs: {
    title: 'Remove packs from a user',
    icon: PackageMinus,
    button: 'Remove Packs',
    failed: ['Pack Removal Failed', 'Failed to remove packs from user'],
  },
} as const

/** Takes packs or RedCoin from one user, at most what is there. */
export function RemovalCard({ kind, user: first }: ChosenUser & { readonly kind: BatchKind }) {
  const isPacks = kind === 'packs'
  const [user, setUser] = useState(first)
  const [packType, setPackType] = useState('')
  const [amount, setAmount] = useState<number | null>(isPacks ? 1 : null)
  const name = usePackTypeName(packType)
  const removePacks = useCall(adminGrantsContract.removeUserPacks)
  const removeRedCoin = useCall(adminGrantsContract.removeUserRedCoin)
  const { redCoinBalance = 0, userPacks = [] } = useByNow(user) ?? {}
  const packTypeId = Number(packType)
  const packs = userPacks.find((one) => one.packTypeId === packTypeId)?.quantity ?? 0
  const held = isPacks ? packs : redCoinBalance
  const userId = user?.id ?? 0
  const total = amount ?? 0
  const what = isPacks ? `${name} pack(s)` : 'RedCoins'
  const isChosen = user !== undefined && (!isPacks || name !== '')
  return (
    <GrantForm
      {...removals[kind]}
      tone="danger"
      pendingLabel="Removing..."
      isReady={isChosen && Number.isSafeInteger(amount) && total > 0}
      question={removalQuestion(kind, total, what, user?.displayName ?? '')}
      send={() =>
        isPacks
          ? removePacks.mutateAsync({ body: { userId, packTypeId, quantity: total } })
          : removeRedCoin.mutateAsync({ body: { userId, amount: total } })
      }
    >
      <RecipientField user={user} onChange={setUser} />
      {isPacks && <PackTypeSelect {...entered(packType, setPackType)} />}
      <AmountField
        kind={kind}
        value={amount}
        onChange={setAmount}
        hint={isChosen && total > held ? allThereIs(held) : undefined}
      />
    </GrantForm>
  )
}

interface CountedProps {
  readonly children: (recipients: number) => ReactNode
  readonly otherwise?: string
}

/** Stands in the question alone, so that each question counts anew. */
function Counted({ children, otherwise }: CountedProps) {
  const { data, isCounted, isFetching } = useGrantReach()
  if (data && isCounted) return children(data.recipients)
  return isFetching ? otherwise : otherwise && 'Failed to count the users'
}

/** Gives packs or RedCoin to everyone. */
export function GrantToAll() {
  const [kind, setKind] = useState('packs')
  const { draft, change, clear } = useDraft(nothingForAll)
  const { packType, amount, reason } = draft
  const name = usePackTypeName(packType)
  const counting = useGrantReach()
  const { data: reach } = counting
  const packs = useCall(adminGrantsContract.distributePacks)
  const coins = useCall(adminGrantsContract.distributeRedCoin)
  const isPacks = kind === 'packs'
  const total = amount ?? 0
  const what = amountOf(total, isPacks ? name : undefined)
  return (
    <GrantForm
      title="Grant to all users"
      description={`The same for everyone${reach ? `: now all ${plural(reach.recipients, 'user', 'users')}` : ''}. It becomes a batch that can be reversed.`}
      icon={Users}
      button="Grant to all users"
      pendingLabel="Granting..."
      // Until it is known how much that is in all, nobody could be asked about it.
      isReady={
        reach !== undefined &&
        Number.isSafeInteger(amount) &&
        total > 0 &&
        (isPacks ? name : reason.trim()) !== ''
      }
      question={{
        tone: 'primary',
        title: 'Grant to all users',
        description: (
          <Counted otherwise="Counting...">
            {(users) => `Give ${what} to each of all ${plural(users, 'user', 'users')}?`}
          </Counted>
        ),
        confirmLabel: 'Confirm',
        children: (
          <Counted>
            {(users) => <GrantWords kind={isPacks ? 'packs' : 'redcoin'} total={total * users} />}
          </Counted>
        ),
      }}
      canConfirm={counting.isCounted}
      send={() =>
        isPacks
          ? packs.mutateAsync({
              body: { allUsers: true, packTypeId: Number(packType), quantity: total },
            })
          : coins.mutateAsync({
              body: { allUsers: true, amount: total, description: reason.trim() },
            })
      }
      onDone={clear}
      failed={isPacks ? packsFailed : ['RedCoin Operation Failed', 'Failed to distribute RedCoins']}
    >
      <RadioCards
        label="What to grant"
        value={kind}
        onChange={setKind}
        cards={[
          { value: 'packs', content: <span className="font-semibold">Packs</span> },
          { value: 'redcoin', content: <span className="font-semibold">RedCoin</span> },
        ]}
      />
      <div className="grid grid-cols-1 gap-5 xl:grid-cols-2 xl:gap-6">
        {isPacks ? (
          <PackTypeSelect {...entered(packType, (packType) => change({ packType }))} />
        ) : (
          <TextField
            label="Reason"
            maxLength={reasonMax}
            {...entered(reason, (reason) => change({ reason }))}
          />
        )}
        <AmountField
          kind={isPacks ? 'packs' : 'redcoin'}
          value={amount}
          onChange={(amount) => change({ amount })}
          label={isPacks ? 'Quantity for each user' : 'Amount for each user'}
          fieldClassName="max-w-80"
        />
      </div>
      {counting.error && !reach && (
        <LoadError title="Failed to count the users" {...askAgain(counting)} />
      )}
    </GrantForm>
  )
}
