const regionDefault = 'us-east-1';

/** The region that requests are signed for: what the host names (`s3.eu-west-1.amazonaws.com`), else what most servers take. */
export function regionOf(url: string): string {
  return /^s3[.-]([a-z]+(?:-[a-z]+)+-\d+)\./.exec(new URL(url).hostname)?.[1] ?? regionDefault;
}
