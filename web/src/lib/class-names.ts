// Joins class names.

import { type ClassValue, clsx } from 'clsx'

/**
 * One text of classes, without what is false. Of two utilities for the same property the style
 * sheet decides, not the order here; so parts that others may reshape take their defaults from
 * classes of the components layer, which every utility overrides.
 */
export function cn(...classes: ClassValue[]): string {
  return clsx(classes)
}
