// The way to a stream's channel.

import type { Stream } from '@redpack/contract'
import { ExternalLink } from 'lucide-react'
import { OutsideLinkButton } from '../../ui/form/link-button.tsx'

export function ChannelLink({ stream }: { readonly stream: Stream }) {
  return (
    <OutsideLinkButton href={stream.channelUrl} tone={stream.isLive ? 'twitch' : 'secondary'}>
      <ExternalLink aria-hidden="true" />
      {stream.isLive ? 'Watch' : 'Open'} on Twitch
      <span className="sr-only">: {stream.channelName}</span>
    </OutsideLinkButton>
  )
}
