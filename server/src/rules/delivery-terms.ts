// What holds for sending a prize; tables know it from here.

export type { DeliveryQuestion, EstimatedValue } from '@redpack/contract/delivery-rules'
