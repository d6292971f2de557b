/** The recipient and address of an order. Personal data: only in memory, and encrypted in the order's row. */
export interface DeliveryDetails {
  recipient_name: string
  street: string
  city: string
  state?: string
  postal_code: string
  country: string
  phone_number?: string
  email?: string
  additional_notes?: string
}
