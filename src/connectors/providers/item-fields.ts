/** Leaves out missing values, empty texts and empty lists: fields of items are absent then. */
export function filled<Value>(
  fields: Readonly<Record<string, Value | null | undefined>>,
): Record<string, Value> {
  const isFilled = (entry: [string, Value | null | undefined]): entry is [string, Value] => {
    const [, value] = entry;
    return value != null && value !== '' && !(Array.isArray(value) && value.length === 0);
  };
  return Object.fromEntries(Object.entries(fields).filter(isFilled));
}

/** `Name <address>`, by which a person is recognised across applications, or what is known of it; undefined for nobody. */
export function personOf(
  name: string | null | undefined,
  address: string | null | undefined,
): string | undefined {
  // Angle brackets and quotation marks would be taken for those around an address.
  const called = (name ?? '').replace(/[<>"\s]+/g, ' ').trim();
  if (!address) return called || undefined;
  return called === '' ? address : `${called} <${address}>`;
}
