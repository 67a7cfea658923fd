// News on this device, and the other devices on which it is shown.

import { notificationsContract } from '@redpack/contract'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../lib/api.ts'
import {
  NotAllowed,
  ownDeviceId,
  type PushState,
  pushState,
  subscribe,
} from '../../lib/push-device.ts'
import { unsubscribe } from '../../lib/push-subscription.ts'
import { useCall } from '../../lib/use-call.ts'
import { toastFailed } from '../../ui/feedback/outcome.ts'
import { Button } from '../../ui/form/button.tsx'
import { SwitchField } from '../../ui/form/toggle-fields.tsx'
import { ConfirmDialog } from '../../ui/overlay/dialog.tsx'
import { notificationsQuery } from './queries.ts'

const hints: Readonly<Record<PushState, string>> = {
  unsupported:
    'This browser cannot show news. On an iPhone or iPad, add this page to the home screen and open it from there.',
  blocked:
    'This browser blocks our notifications. Allow them in its settings for this site, then come back.',
  off: 'This browser shows news even while the site is closed.',
  on: 'This browser shows news even while the site is closed.',
}

interface Device {
  readonly id: string
  readonly label: string
}

/** `devices` are those that the server knows. */
export function PushDevices({ devices }: { readonly devices: readonly Device[] }) {
  const ids = devices.map(({ id }) => id)
  const own = useQuery({
    queryKey: ['push-device', ids],
    queryFn: async () => ({ state: await pushState(ids), id: await ownDeviceId() }),
    // What the person allows changes outside of the page.
    refetchOnWindowFocus: true,
    staleTime: 0,
  })
  const add = useCall(notificationsContract.addDevice, notificationsQuery.queryKey)
  const forget = useCall(notificationsContract.forgetDevice, notificationsQuery.queryKey)
  /** Asked about first: only that browser itself could be added again. */
  const [asked, ask] = useState<Device>()
  const toggle = useMutation({
    mutationFn: async (isOn: boolean) => {
      const { id } = own.data ?? {}
      if (!isOn) {
        if (id !== undefined) await forget.mutateAsync({ body: { id } })
        return unsubscribe()
      }
      const { publicKey } = await call(notificationsContract.pushKey)
      const { endpoint, keys } = (await subscribe(publicKey ?? '')).toJSON()
      const { p256dh = '', auth = '' } = keys ?? {}
      await add.mutateAsync({ body: { endpoint: endpoint ?? '', keys: { p256dh, auth } } })
    },
    onSettled: () => own.refetch(),
    onError: (error) =>
      error instanceof NotAllowed ||
      toastFailed('Error', error, 'Push could not be turned on in this browser'),
  })
  const state = own.data?.state ?? 'off'
  const others = devices.filter(({ id }) => id !== own.data?.id)
  return (
    <>
      <SwitchField
        label="On this device"
        hint={hints[state]}
        isOn={state === 'on'}
        disabled={state === 'unsupported' || state === 'blocked' || toggle.isPending || !own.data}
        onChange={(isOn) => toggle.mutate(isOn)}
      />
      {others.length > 0 && (
        <ul aria-label="Other devices" className="grid gap-1">
          {others.map(({ id, label }) => (
            <li key={id} className="flex items-center justify-between gap-3">
              <span className="min-w-0 break-words">{label}</span>
              <Button
                tone="ghost"
                size="compact"
                aria-label={`Remove ${label}`}
                onClick={() => ask({ id, label })}
              >
                Remove
              </Button>
            </li>
          ))}
        </ul>
      )}
      <ConfirmDialog
        isOpen={asked !== undefined}
        onOpenChange={() => ask(undefined)}
        title={asked ? `Remove ${asked.label}?` : ''}
        description="It gets no more news until you turn it on there again."
        confirmLabel="Remove"
        isPending={forget.isPending}
        onConfirm={() => {
          if (!asked) return
          const onError = (cause: Error) =>
            toastFailed('Error', cause, 'The device could not be removed')
          // Another one may have been asked about by the time that this one is gone.
          const onSettled = () => ask((now) => (now?.id === asked.id ? undefined : now))
          forget.mutate({ body: { id: asked.id } }, { onError, onSettled })
        }}
      />
    </>
  )
}
