import { fakedGmail } from './gmail-fake.js';
import { fakedGoogleDrive } from './google-drive-fake.js';
import type { FakedProvider } from './provider-fake.js';

/** One for each provider: the contract suites run over this list. */
export const FAKED_PROVIDERS: readonly FakedProvider[] = [fakedGoogleDrive, fakedGmail];
