/** What was made of the texts that were asked for last: as many as have so many characters together. */
export class RecentTexts<Made> {
  private readonly made = new Map<string, Made>();
  private characters = 0;

  constructor(private readonly charactersMax: number) {}

  /** What `make` makes of a text, or made of it not long ago. */
  get(text: string, make: (text: string) => Made): Made {
    const known = this.made.get(text);
    if (known !== undefined) {
      // The first in the map is the one that was asked for longest ago.
      this.made.delete(text);
      this.made.set(text, known);
      return known;
    }
    const made = make(text);
    if (text.length <= this.charactersMax) this.keep(text, made);
    return made;
  }

  private keep(text: string, made: Made): void {
    this.made.set(text, made);
    this.characters += text.length;
    for (const oldest of this.made.keys()) {
      if (this.characters <= this.charactersMax) return;
      this.made.delete(oldest);
      this.characters -= oldest.length;
    }
  }
}
