//! The server's side of one connection. The server behaves as the given fault requires.

use std::cell::RefCell;
use std::io;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadBuf};
use tokio::net::TcpStream;

use super::certificates::CertificateKind;
use super::fault::{Ends, Fault, Handshake, ServerOutput};
use super::host::{ServerRecord, Speaks, every, reset};
use super::reply::of_bank;
use crate::bank::Fate;

/// The size of a huge reply, in bytes.
const FLOOD: usize = 100 << 20;

/// Serves a connection with the given fault until it ends.
pub async fn play(
    mut stream: TcpStream,
    fault: Rc<Fault>,
    till: Rc<RefCell<ServerRecord>>,
    speaks: Option<Rc<Speaks>>,
) {
    let Some(speaks) = speaks else { return speak(stream, &fault, &till).await };
    match fault.door {
        Handshake::Open | Handshake::Refused => {
            let greeted = speaks.with(CertificateKind::Good).accept(stream).await;
            // Ignore a failed handshake. The test checks the error that the client reports.
            if let Ok(stream) = greeted {
                speak(stream, &fault, &till).await;
            }
        }
        Handshake::Bad(proof) => {
            if let Ok(mut stream) = speaks.with(proof).accept(stream).await {
                // The client must not accept this invalid certificate. Record every byte that it
                // sends, so that the test can check it.
                let heard = read_some(&mut stream, 1).await;
                till.borrow_mut().raw.extend(heard);
            }
        }
        Handshake::Unheard(most) => {
            let heard = read_some(&mut stream, most).await;
            till.borrow_mut().raw.extend(heard);
            end(stream, fault.ends).await;
        }
        Handshake::Unfinished(most) => {
            let limited = Limited { stream, left: most };
            if let Ok(mut stream) = speaks.with(CertificateKind::Afresh).accept(limited).await {
                let heard = read_some(&mut stream, 1).await;
                till.borrow_mut().raw.extend(heard);
            }
        }
        Handshake::Nonsense => {
            if let ServerOutput::This(bytes) = &fault.says {
                let _ = stream.write_all(bytes).await;
            }
            let heard = read_some(&mut stream, usize::MAX).await;
            till.borrow_mut().raw.extend(heard);
        }
    }
}

/// A byte stream, with or without TLS, that gives access to its TCP connection.
trait Line: AsyncRead + AsyncWrite + Unpin {
    fn tcp(&self) -> &TcpStream;
}

impl Line for TcpStream {
    fn tcp(&self) -> &TcpStream {
        self
    }
}

impl Line for tokio_rustls::server::TlsStream<TcpStream> {
    fn tcp(&self) -> &TcpStream {
        self.get_ref().0
    }
}

async fn speak(mut line: impl Line, fault: &Fault, till: &RefCell<ServerRecord>) {
    match fault.reads {
        Some(most) => {
            read_some(&mut line, most).await;
        }
        None => {
            let Some(request) = read_request(&mut line).await else { return };
            let mut till = till.borrow_mut();
            till.answered = fault.acts.map(|fate| act(&mut till, &request, fate));
            till.requests.push(request);
        }
    }
    let answered = till.borrow().answered;
    let said = say(&mut line, &fault.says, answered, till).await;
    // Skip this if writing failed, because the client has then already closed the connection.
    if said.is_ok() {
        end(line, fault.ends).await;
    }
}

/// Passes a request to the simulated bank, and returns the HTTP status of its reply.
fn act(till: &mut ServerRecord, request: &[u8], fate: Fate) -> u16 {
    let text = String::from_utf8_lossy(request);
    let header = |name| text.lines().find_map(|line| line.strip_prefix(name));
    let key = header("Idempotency-Key: ").and_then(|key| uuid::Uuid::parse_str(key).ok());
    let (_, body) = text.split_once("\r\n\r\n").unwrap_or_default();
    let (now, takes) = (till.now, till.takes);
    match key {
        Some(key) => till.bank.take(key.as_u128(), &Arc::from(body), now, fate, takes),
        None => 400,
    }
}

async fn say(
    line: &mut impl Line,
    says: &ServerOutput,
    answered: Option<u16>,
    till: &RefCell<ServerRecord>,
) -> io::Result<()> {
    let whole = || {
        let request = till.borrow().requests.last().cloned().unwrap_or_default();
        of_bank(answered, &request)
    };
    match says {
        ServerOutput::Nothing => {}
        ServerOutput::Bank { framed, body, cut } => {
            let reply = whole().with(*body).framed(*framed);
            let most = cut.unwrap_or(usize::MAX).min(reply.len());
            till.borrow_mut().whole = cut.is_some() && most == reply.len();
            line.write_all(&reply[..most]).await?;
        }
        ServerOutput::BankAfter(first) => {
            line.write_all(first).await?;
            line.write_all(&whole().plain()).await?;
        }
        ServerOutput::BankBefore(last) => {
            line.write_all(&[whole().plain(), last.clone()].concat()).await?;
        }
        ServerOutput::BankAs(way) => {
            let reply = whole().plain();
            line.write_all(way(&String::from_utf8_lossy(&reply)).as_bytes()).await?;
        }
        ServerOutput::BankSlowly(milliseconds) => {
            let mut every = every(*milliseconds);
            for byte in whole().plain() {
                every.tick().await;
                line.write_all(&[byte]).await?;
                line.flush().await?;
            }
        }
        ServerOutput::This(bytes) => line.write_all(bytes).await?,
        ServerOutput::Flood { first, piece, ever } => {
            line.write_all(first).await?;
            let mut said = 0;
            while *ever || said < FLOOD {
                line.write_all(piece).await?;
                said += piece.len();
            }
        }
    }
    line.flush().await
}

async fn end(mut line: impl Line, ends: Ends) {
    match ends {
        Ends::Closed => {
            let _ = line.shutdown().await;
            // Read the remaining bytes first, because closing a socket with unread bytes resets the
            // connection.
            read_some(&mut line, usize::MAX).await;
        }
        Ends::Dropped => {}
        Ends::Reset => reset(line.tcp()),
        Ends::HalfClosed => {
            let _ = line.shutdown().await;
            std::future::pending().await
        }
        Ends::Never => std::future::pending().await,
    }
}

/// Reads this many bytes, or fewer if the stream ends first.
async fn read_some(line: &mut (impl AsyncRead + Unpin), most: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    let most = u64::try_from(most).unwrap_or(u64::MAX);
    let _ = line.take(most).read_to_end(&mut bytes).await;
    bytes
}

/// Reads a request's header and body. Returns `None` if the connection ends first.
async fn read_request(line: &mut (impl AsyncRead + Unpin)) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    loop {
        if let Some(length) = length(&bytes)
            && bytes.len() >= length
        {
            return Some(bytes);
        }
        if line.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    }
}

/// Returns a request's total length in bytes, or `None` while its header is incomplete.
fn length(bytes: &[u8]) -> Option<usize> {
    let head = bytes.windows(4).position(|four| four == b"\r\n\r\n")? + 4;
    let text = String::from_utf8_lossy(&bytes[..head]);
    let announced = text.lines().find_map(|line| line.strip_prefix("Content-Length: "))?;
    Some(head + announced.parse::<usize>().ok()?)
}

/// A stream that resets its connection after this many bytes were written.
struct Limited {
    stream: TcpStream,
    left: usize,
}

impl AsyncRead for Limited {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, into)
    }
}

impl AsyncWrite for Limited {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        if self.left == 0 {
            reset(&self.stream);
            return Poll::Ready(Err(io::ErrorKind::ConnectionReset.into()));
        }
        let most = self.left.min(bytes.len());
        let wrote = ready!(Pin::new(&mut self.stream).poll_write(cx, &bytes[..most]))?;
        self.left -= wrote;
        Poll::Ready(Ok(wrote))
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
