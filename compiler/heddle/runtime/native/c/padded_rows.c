#include <stdint.h>

/* Padded formats to compressed rows: `count` gives each row its number of entries, `fill` writes them where `next` says
   that the next entry of a row goes. */

typedef struct { int64_t begin, end; } Range;

/* The places of a piece of a row: those of its lane in a slice of `height` rows, or `width` where pos is NULL. */
static Range places_of(int64_t piece, int64_t height, int64_t width, const INDEX* pos) {
  if (!pos) return (Range){piece * width, (piece + 1) * width};
  const int64_t slice = piece / height, lane = piece % height;
  return (Range){(int64_t)pos[slice] * height + lane, (int64_t)pos[slice + 1] * height};
}

/* Padding lies outside the columns. `row` says which row a piece belongs to (NULL: the one of its number). */
int32_t count_pieces(int64_t pieces, int64_t columns, int64_t height, int64_t width, const INDEX* restrict pos,
                     const INDEX* restrict row, const INDEX* restrict crd, INDEX* restrict counts) {
  for (int64_t piece = 0; piece < pieces; piece++) {
    const Range places = places_of(piece, height, width, pos);
    INDEX count = 0;
    for (int64_t p = places.begin; p < places.end; p += height) count += (uint64_t)crd[p] < (uint64_t)columns;
    counts[row ? row[piece] : piece] += count;
  }
  return 0;
}

int32_t fill_pieces(int64_t pieces, int64_t columns, int64_t height, int64_t width, const INDEX* restrict pos,
                    const INDEX* restrict row, const INDEX* restrict crd, const VALUE* restrict vals,
                    INDEX* restrict next, INDEX* restrict to_crd, VALUE* restrict to_vals) {
  for (int64_t piece = 0; piece < pieces; piece++) {
    const Range places = places_of(piece, height, width, pos);
    INDEX place = next[row ? row[piece] : piece];
    for (int64_t p = places.begin; p < places.end; p += height)
      if ((uint64_t)crd[p] < (uint64_t)columns) to_crd[place] = crd[p], to_vals[place++] = vals[p];
    next[row ? row[piece] : piece] = place;
  }
  return 0;
}

/* Each row by columns: pieces of a row may come in any order, but most rows are in order. */
int32_t order_rows(int64_t rows, const INDEX* restrict pos, INDEX* restrict crd, VALUE* restrict vals) {
  for (int64_t r = 0; r < rows; r++)
    for (INDEX e = pos[r] + 1; e < pos[r + 1]; e++) {
      if (crd[e - 1] <= crd[e]) continue;
      const INDEX column = crd[e];
      const VALUE value = vals[e];
      INDEX place = e;
      for (; place > pos[r] && crd[place - 1] > column; place--)
        crd[place] = crd[place - 1], vals[place] = vals[place - 1];
      crd[place] = column, vals[place] = value;
    }
  return 0;
}

#ifdef HEIGHT

/* MASK has the bits that are set in some value that is not zero: all but the signs of floating-point numbers. */
static int is_entry(VALUE value) {
#ifdef MASK
  return (value & (VALUE)MASK) != 0;
#else
  return value != 0;
#endif
}

static int64_t lesser(int64_t a, int64_t b) { return a < b ? a : b; }

/* Of blocks of HEIGHT × WIDTH, the places that are not zero and lie inside the matrix. */
int32_t count_blocks(int64_t rows, int64_t columns, const INDEX* restrict pos, const INDEX* restrict crd,
                     const VALUE* restrict vals, INDEX* restrict counts) {
  for (int64_t first = 0, block_row = 0; first < rows; first += HEIGHT, block_row++) {
    INDEX here[HEIGHT] = {0};
    for (INDEX b = pos[block_row]; b < pos[block_row + 1]; b++) {
      const VALUE* block = vals + (int64_t)b * HEIGHT * WIDTH;
      const int64_t width = lesser(WIDTH, columns - (int64_t)crd[b] * WIDTH);
      for (int64_t i = 0; i < HEIGHT; i++)
        if (width == WIDTH)
          for (int64_t j = 0; j < WIDTH; j++) here[i] += (INDEX)is_entry(block[i * WIDTH + j]);
        else
          for (int64_t j = 0; j < width; j++) here[i] += (INDEX)is_entry(block[i * WIDTH + j]);
    }
    for (int64_t i = 0; i < lesser(HEIGHT, rows - first); i++) counts[first + i] = here[i];
  }
  return 0;
}

int32_t fill_blocks(int64_t rows, int64_t columns, const INDEX* restrict pos, const INDEX* restrict crd,
                    const VALUE* restrict vals, const INDEX* restrict to_pos, INDEX* restrict to_crd,
                    VALUE* restrict to_vals) {
  for (int64_t first = 0, block_row = 0; first < rows; first += HEIGHT, block_row++) {
    const int64_t height = lesser(HEIGHT, rows - first);
    INDEX next[HEIGHT];
    for (int64_t i = 0; i < height; i++) next[i] = to_pos[first + i];
    for (INDEX b = pos[block_row]; b < pos[block_row + 1]; b++) {
      const VALUE* block = vals + (int64_t)b * HEIGHT * WIDTH;
      const int64_t column = (int64_t)crd[b] * WIDTH, width = lesser(WIDTH, columns - column);
      for (int64_t i = 0; i < height; i++)
        for (int64_t j = 0; j < width; j++)
          if (is_entry(block[i * WIDTH + j])) {
            to_crd[next[i]] = (INDEX)(column + j);
            to_vals[next[i]++] = block[i * WIDTH + j];
          }
    }
  }
  return 0;
}

#endif
