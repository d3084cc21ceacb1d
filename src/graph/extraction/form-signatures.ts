import { splitLegalForm } from '../legal-forms.js';
import { isSureOrganization } from './affiliations.js';

interface SignedField {
  readonly label: string;
  readonly value: string;
}

const signature = /^(?:by|signature|signed|signed by)$/i;
/** A line to sign on, or a signature as text. */
const signed = /^(?:[_.…\s-]{3,}|\/s\/.*)$/;

/**
 * The company above the fields with which somebody signs for it: "By: ____", "Name: …", "Title: …". Undefined
 * for other fields.
 */
export function signatoryCompany(fields: readonly SignedField[], heading: string): string | undefined {
  const isSigned = fields.some(({ label, value }) => signature.test(label) && signed.test(value));
  const isCompany = splitLegalForm(heading) !== undefined || isSureOrganization(heading);
  return isSigned && isCompany ? heading : undefined;
}
