// The button that opens the crop of a picture. Its dialog is code that comes when it is used.

import { Crop } from 'lucide-react'
import { useState } from 'react'
import { Button } from './button.tsx'
import type { CropPanelProps } from './crop-panel.tsx'
import { partOnDemand, useOnDemand } from './on-demand.tsx'
import { Spinner } from './spinner.tsx'

/** The code of the dialog, which tests fetch ahead. */
export const cropPanel = partOnDemand<CropPanelProps>(
  async () => (await import('./crop-panel.tsx')).CropPanel,
)

/** It stays enabled while the code or the cropped picture is read: the focus comes back to it. */
export function CropButton(crop: Omit<CropPanelProps, 'onClose'>) {
  const [isOpen, setOpen] = useState(false)
  const { Component: Panel, intent, ask } = useOnDemand(cropPanel)
  return (
    <>
      <Button
        tone="ghost"
        {...intent}
        onClick={() => {
          setOpen(true)
          ask(() => setOpen(false))
        }}
      >
        {isOpen && !Panel ? <Spinner /> : <Crop aria-hidden="true" />}
        Crop
      </Button>
      {isOpen && Panel && <Panel {...crop} onClose={() => setOpen(false)} />}
    </>
  )
}
