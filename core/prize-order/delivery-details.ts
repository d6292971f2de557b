/** Where and to whom a prize is sent. Personal data: it exists in memory and encrypted in the order's row, nowhere else. */
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
