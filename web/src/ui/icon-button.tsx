// A button that shows only an icon: its name is read out, and shown as a tooltip.

import { Button, type ButtonProps } from './button.tsx'
import { Tooltip } from './tooltip.tsx'

export interface IconButtonProps extends Omit<ButtonProps, 'isIcon' | 'aria-label'> {
  /** What the button does, for those who do not see the icon. */
  readonly label: string
}

/** A button that shows only an icon, with its name as a tooltip. */
export function IconButton({ label, tone = 'ghost', ...rest }: IconButtonProps) {
  return (
    <Tooltip text={label}>
      <Button {...rest} tone={tone} isIcon aria-label={label} />
    </Tooltip>
  )
}
