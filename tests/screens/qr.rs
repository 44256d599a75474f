//! Tests that a phone's camera can read the QR codes on the screen.

use balcao::app::screens::Layer;
use balcao::app::screens::qr::Qr;
use balcao::app::store::notice::Notice;
use balcao::app::ui::Area;
use balcao::app::ui::geometry::MIN_SIZE;
use balcao::app::ui::input::Size;
use balcao::app::ui::picture::QrPicture;
use balcao::app::{Effect, Model, Msg};
use balcao::view::{ColourDepth, Theme};
use balcao::words::Lang;
use ratatui::buffer::Buffer;
use ratatui::style::Color;

use crate::models::{
    ascii, buffer, find_model, layer_model, press, render_with_theme, screen_text, text,
    with_change, with_qr_code,
};
use crate::models_money::payments::{link, link_created};

const URL: &str = "http://loja-da-ana.localhost:41873/checkout/link-7f3k2q";

const WHITE: Color = Color::Indexed(231);

/// Reads the QR code on the screen. Only cells that are explicitly white count as light, because
/// the background of a terminal may be dark.
pub fn read_qr_code(screen: &Buffer) -> Option<String> {
    decode_qr_code(screen, |color| color == WHITE)
}

/// Reads the QR code as it looks in a dark terminal without colours: light block characters on a
/// dark background.
fn read_qr_code_without_colours(screen: &Buffer) -> Option<String> {
    let mut screen = screen.clone();
    for cell in &mut screen.content {
        (cell.fg, cell.bg) = (WHITE, Color::Reset);
    }
    read_qr_code(&screen)
}

/// Draws the screen as an image, and reads the first QR code in it.
fn decode_qr_code(screen: &Buffer, is_white: impl Fn(Color) -> bool) -> Option<String> {
    let columns = usize::from(screen.area.width);
    decode_squares(columns, &half_cells(screen, is_white))
}

/// Whether each half of a terminal cell is white, row by row. A cell is twice as tall as wide.
fn half_cells(screen: &Buffer, is_white: impl Fn(Color) -> bool) -> Vec<bool> {
    let columns = usize::from(screen.area.width);
    let rows = screen.content.chunks(columns);
    let halves = rows.flat_map(|row| [(row, true), (row, false)]);
    let squares = halves.flat_map(|(row, is_upper)| {
        row.iter().map(move |cell| {
            let is_ink = match cell.symbol() {
                "█" | "#" => true,
                "▀" => is_upper,
                "▄" => !is_upper,
                _ => false,
            };
            if is_ink { cell.fg } else { cell.bg }
        })
    });
    squares.map(is_white).collect()
}

/// Reads the first QR code in a picture of white and black squares.
fn decode_squares(columns: usize, squares: &[bool]) -> Option<String> {
    const SCALE: usize = 4;
    let rows = squares.len() / columns;
    let pixel = |x: usize, y: usize| {
        if squares[y / SCALE * columns + x / SCALE] {
            255
        } else {
            0
        }
    };
    let mut image =
        rqrr::PreparedImage::prepare_from_greyscale(columns * SCALE, rows * SCALE, pixel);
    let grid = image.detect_grids().into_iter().next()?;
    Some(grid.decode().ok()?.1)
}

const DARK: [u8; 3] = [0x1e; 3];
const LIGHT: [u8; 3] = [0xfd, 0xf6, 0xe3];

/// Every number of colours on a dark and a light ground.
const MODES: [(ColourDepth, [u8; 3]); 8] = [
    (ColourDepth::True, DARK),
    (ColourDepth::True, LIGHT),
    (ColourDepth::Indexed, DARK),
    (ColourDepth::Indexed, LIGHT),
    (ColourDepth::Sixteen, DARK),
    (ColourDepth::Sixteen, LIGHT),
    (ColourDepth::Monochrome, DARK),
    (ColourDepth::Monochrome, LIGHT),
];

/// Draws the screen in a mode. Returns which half cells are white.
fn drawn_in(model: &Model, mode: (ColourDepth, [u8; 3]), (columns, rows): (u16, u16)) -> Vec<bool> {
    let (depth, ground) = mode;
    let name = if depth == ColourDepth::Monochrome {
        "mono"
    } else {
        "mocha"
    };
    let theme = Theme::named(name).unwrap().in_depth(depth).on(Some(ground));
    let mut screen = render_with_theme(model, &theme, columns, rows);
    if depth == ColourDepth::Monochrome {
        // The text is dark on a light ground.
        let colours = if ground == DARK {
            (WHITE, Color::Black)
        } else {
            (Color::Black, WHITE)
        };
        for cell in &mut screen.content {
            assert_eq!((cell.fg, cell.bg), (Color::Reset, Color::Reset));
            (cell.fg, cell.bg) = colours;
        }
    }
    let is_white = |color| color == WHITE || color == Color::White;
    if depth != ColourDepth::Monochrome {
        // The code itself has no cell in the colour of the ground.
        let on_ground = |cell: &&ratatui::buffer::Cell| {
            let is_black = cell.bg == Color::Indexed(16) || cell.bg == Color::Black;
            is_white(cell.fg) && !is_black && cell.symbol() != "█"
        };
        assert_eq!(screen.content.iter().find(on_ground), None);
    }
    half_cells(&screen, is_white)
}

/// Each length that fits is decoded in one mode and in a second one. The second modes take turns,
/// so every size of a code is decoded in each mode. For other lengths, the screen names the size.
#[test]
fn code_of_any_length_is_readable_in_every_mode() {
    let mut refused = 0;
    for length in 20..=300 {
        let url = format!("https://loja.example/c/{}", "k7".repeat(150));
        let url = &url[..length];
        let model = layer_model(Lang::Pt, Layer::Qr(Qr::of(url)));
        let dark = Theme::named("dark").unwrap();
        let first = render_with_theme(&model, &dark, 80, 24);
        let mut size = (80, 24);
        if let Some(decoded) = read_qr_code(&first) {
            assert_eq!(decoded, url);
        } else {
            refused += 1;
            let code = QrPicture::of(&url.into(), false).unwrap();
            let (columns, rows) = code.min_size();
            let needed = format!("{columns}x{rows}");
            assert!(text(&first).contains(&needed), "{length}: {}", text(&first));
            // Some of these codes are decoded at the size that they need.
            if length % 9 != 0 {
                continue;
            }
            size = (columns.max(MIN_SIZE.columns), rows);
        }
        let mode = MODES[length % MODES.len()];
        let squares = drawn_in(&model, mode, size);
        let decoded = decode_squares(size.0.into(), &squares);
        assert_eq!(decoded.as_deref(), Some(url), "{length} in {mode:?}");
    }
    assert!(
        (100..200).contains(&refused),
        "{refused} do not fit in 80x24"
    );
}

#[test]
fn the_saved_image_is_the_same_code() {
    let mut model = with_qr_code(layer_model(Lang::Pt, Layer::Qr(Qr::of(URL))));
    let effects = press(&mut model, "e");
    let [Effect::SaveQr(svg)] = &effects[..] else {
        panic!("{effects:?}")
    };
    let number = |name: &str| {
        let after = svg.split_once(name).unwrap().1;
        after
            .chars()
            .take_while(char::is_ascii_digit)
            .collect::<String>()
            .parse::<usize>()
            .unwrap()
    };
    let side = number("viewBox=\"0 0 ");
    let mut squares = vec![true; side * side];
    let path = svg
        .split_once("<path d=\"")
        .unwrap()
        .1
        .split_once('"')
        .unwrap()
        .0;
    for square in path.split_terminator('z') {
        let place = square
            .strip_prefix('M')
            .and_then(|s| s.strip_suffix("h1v1h-1"))
            .unwrap();
        let (x, y) = place.split_once(' ').unwrap();
        let (x, y): (usize, usize) = (x.parse().unwrap(), y.parse().unwrap());
        squares[y * side + x] = false;
    }
    assert_eq!(decode_squares(side, &squares).as_deref(), Some(URL));
    // A decoder also reads a mirrored code and one without a border, so compare every square.
    let cells = u16::try_from(side).unwrap();
    let area = Area {
        width: cells,
        height: cells,
        ..Area::default()
    };
    let picture = QrPicture::of(&URL.into(), false)
        .unwrap()
        .within(area)
        .unwrap();
    assert_eq!(picture.area.width, cells);
    let drawn = (0..cells).flat_map(|y| (0..cells).map(move |x| (x, y)));
    let drawn = drawn.map(|(x, y)| {
        let (upper, lower) = picture.halves(x, y / 2);
        if y % 2 == 0 { upper } else { lower }
    });
    assert!(drawn.eq(squares), "{svg}");
    let path = "/srv/loja/qrcode.svg";
    crate::models::send_message(&mut model, Msg::QrSaved(Ok(path.into())));
    assert!(
        screen_text(&model).contains(path),
        "{}",
        screen_text(&model)
    );
}

#[test]
fn the_code_alone_on_the_screen_is_the_exact_url() {
    let model = layer_model(Lang::Pt, Layer::Qr(Qr::of(URL)));
    for theme in Theme::NAMES {
        let screen = render_with_theme(&model, &Theme::named(theme).unwrap(), 80, 24);
        assert_eq!(read_qr_code(&screen).as_deref(), Some(URL), "{theme}");
    }
}

#[test]
fn the_code_is_there_without_colours_too() {
    let model = layer_model(Lang::Pt, Layer::Qr(Qr::of(URL)));
    let mono = Theme::named("mono").unwrap();
    let screen = render_with_theme(&model, &mono, 80, 24);
    assert_eq!(read_qr_code_without_colours(&screen).as_deref(), Some(URL));
    let screen = render_with_theme(&ascii(model), &mono, 100, 50);
    assert_eq!(read_qr_code_without_colours(&screen).as_deref(), Some(URL));
}

#[test]
fn address_is_shown_with_code_if_both_fit() {
    let model = layer_model(Lang::Pt, Layer::Qr(Qr::of(URL)));
    for (columns, rows) in [(80, 24), (120, 40)] {
        let screen = buffer(&model, columns, rows);
        assert!(
            text(&screen).contains(URL),
            "{columns}x{rows}: {}",
            text(&screen)
        );
        assert_eq!(
            read_qr_code(&screen).as_deref(),
            Some(URL),
            "{columns}x{rows}"
        );
    }
}

#[test]
fn address_is_below_the_code_and_both_are_centred() {
    let model = layer_model(Lang::Pt, Layer::Qr(Qr::of(URL)));
    for (columns, rows) in [(80_u16, 24), (81, 30), (120, 40), (200, 60)] {
        let screen = text(&buffer(&model, columns, rows));
        let lines: Vec<&str> = screen.lines().collect();
        let address_row = lines.iter().position(|line| line.contains(URL)).unwrap();
        let last_code_row = lines.iter().rposition(|line| line.contains('█')).unwrap();
        assert!(
            (1..=2).contains(&(address_row - last_code_row)),
            "{columns}x{rows}:\n{screen}"
        );
        for line in [lines[address_row], lines[last_code_row]] {
            let left = line.chars().take_while(|c| *c == ' ').count();
            let right = usize::from(columns) - line.trim_end().chars().count();
            assert!(left.abs_diff(right) <= 1, "{columns}x{rows}:\n{screen}");
        }
    }
}

#[test]
fn sandbox_payment_is_shown_with_code_at_any_size() {
    let mut model = layer_model(Lang::Pt, Layer::Qr(Qr::of(URL)));
    let rows = (18..24)
        .find(|rows| read_qr_code(&buffer(&model, 80, *rows)).is_some())
        .unwrap();
    model.paid.replace_list(&[URL.into()]);
    for (columns, rows) in [(60, 18), (80, rows), (80, 24), (120, 40), (200, 60)] {
        let screen = text(&buffer(&model, columns, rows));
        assert!(
            screen.contains("✓ pago (sandbox)"),
            "{columns}x{rows}:\n{screen}"
        );
    }
    for (columns, rows) in [(120, 40), (200, 60)] {
        assert_eq!(
            read_qr_code(&buffer(&model, columns, rows)).as_deref(),
            Some(URL)
        );
    }
    let is_highlighted = |model: &Model| {
        let screen = render_with_theme(model, &Theme::named("dark").unwrap(), 120, 40);
        let position = screen
            .content()
            .iter()
            .position(|cell| cell.symbol() == "✓")
            .unwrap();
        screen.content()[position].bg != Color::Reset
    };
    assert!(!is_highlighted(&model));
    let now = model.now.boot_ms;
    let paid_link = link(0, 4_990, "Boné", link_created(URL));
    model.paid.highlight(&paid_link, now);
    assert!(is_highlighted(&model), "for a moment");
}

#[test]
fn notice_replaces_the_key_row_below_a_code() {
    let mut model = layer_model(Lang::Pt, Layer::Qr(Qr::of(URL)));
    model.notice = Some(Notice::good("said-opened"));
    let last_row = |model: &Model| {
        screen_text(model)
            .lines()
            .last()
            .unwrap_or_default()
            .to_owned()
    };
    assert_eq!(last_row(&model).trim_end(), " Abrindo no navegador.");
    model.notice = None;
    assert!(
        last_row(&model).contains("Esc voltar"),
        "{}",
        last_row(&model)
    );
}

#[test]
fn plain_ascii_draws_the_code_too_where_it_has_room() {
    let model = ascii(layer_model(Lang::Pt, Layer::Qr(Qr::of(URL))));
    assert_eq!(read_qr_code(&buffer(&model, 100, 50)).as_deref(), Some(URL));
    let small_screen = screen_text(&model);
    assert!(
        small_screen.contains("70x35") && small_screen.contains(URL),
        "{small_screen}"
    );
}

#[test]
fn details_name_the_code_key_or_the_needed_size() {
    let link = find_model(Lang::Pt, "link");
    let hints_at = |model: &Model, columns, rows| {
        let model = with_change(model.clone(), |model| model.size = Size { columns, rows });
        let screen = text(&buffer(&with_qr_code(model), columns, rows));
        (
            screen.contains("Q mostra só ele"),
            screen.contains("O QR Code precisa de 70x35."),
        )
    };
    let ascii_model = ascii(link.clone());
    assert_eq!(hints_at(&ascii_model, 80, 24), (false, true));
    assert_eq!(hints_at(&ascii_model, 80, 35), (true, false));
}

#[test]
fn code_shown_as_text_is_complete() {
    let code = "00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-426655440000520400005303986\
                5802BR5911LOJA DA ANA6009SAO PAULO62070503***6304ABCD";
    for (columns, rows) in [(60, 18), (61, 18), (62, 18)] {
        let screen = text(&buffer(
            &layer_model(Lang::Pt, Layer::Qr(Qr::of(code))),
            columns,
            rows,
        ));
        let code_rows = screen.lines().skip_while(|line| !line.contains("000201"));
        // Remove the left margin. Pad the row with spaces to its full width, because the code may
        // end in a space.
        let width = usize::from(columns) - 2;
        let row = |line: &str| format!("{:width$}", line.chars().skip(1).collect::<String>());
        let code_on_screen: String = code_rows.take(5).map(row).collect();
        assert!(
            code_on_screen.trim_end().starts_with(code),
            "{columns}x{rows}:\n{screen}"
        );
    }
}
