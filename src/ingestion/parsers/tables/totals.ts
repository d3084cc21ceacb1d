const totals =
  '(?:grand|sub|net|gross)?[- ]?totals?|sum|(?:zwischen|end|gesamt)?summe|gesamt(?:betrag)?|sous-total|somme|totale|suma';
const totalName = new RegExp(`^(?:${totals})(?![\\p{L}-])`, 'iu');
/** What stands between the sum of an invoice's rows and what is to be paid. */
const amountName = new RegExp(
  `^(?:${totals}|vat|gst|(?:sales )?tax|discount|shipping|freight|delivery|postage|rounding|(?:amount |balance |net )?(?:due|paid|payable)|balance|deposit|` +
    'net|gross|netto|brutto|mwst|ust|umsatzsteuer|rabatt|versand|zahlbetrag|tva|remise|iva|descuento|sconto)(?![\\p{L}-])',
  'iu',
);

/** Whether a cell names a sum of the rows above it. */
export function isTotal(cell: string): boolean {
  return totalName.test(cell.trim());
}

/** Whether a cell names a sum, or what is added to it or taken from it. */
export function isNameOfAmount(cell: string): boolean {
  return amountName.test(cell.trim());
}
